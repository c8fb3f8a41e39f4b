// The two kinds of forms: a bot's modal, and the options of a slash command.
import { h } from "./dom.js";
import { markdown } from "./text.js";

/** Show a modal; `send(values)` gets its values by custom id. */
export function openModal(form, place, texts, send) {
  const dialog = document.getElementById("form");
  const fields = form.components.flatMap((part) => field(part, place));
  const body = h("form", { method: "dialog", autocomplete: "off" }, h("h2", {}, form.title), fields,
    h("div", { class: "row" },
      h("button", { type: "button", class: "button secondary", data: { cancel: "" } }, texts.cancel),
      h("button", { class: "button primary" }, texts.send)));
  body.querySelector("[data-cancel]").onclick = () => dialog.close();
  body.onsubmit = () => send(modalValues(body));
  dialog.replaceChildren(body);
  dialog.showModal();
}

function field(part, place) {
  if (part.type === 1) return part.components.flatMap((inner) => field(inner, place));
  if (part.type === 10) return [h("div", { class: "text" }, markdown(part.content, place))];
  if (part.type === 18) {
    return [h("label", { class: "field" }, h("b", {}, part.label), part.description ? h("span", { class: "small" }, part.description) : null,
      control(part.component))];
  }
  return [h("label", { class: "field" }, h("b", {}, part.label ?? ""), control(part))];
}

function control(spec) {
  const data = { id: spec.custom_id, kind: spec.type };
  const required = spec.required ?? (spec.type === 4 || spec.type === 3);
  if (spec.type === 4) {
    const bounds = { minlength: spec.min_length, maxlength: spec.max_length ?? 4000, placeholder: spec.placeholder, required, data };
    return spec.style === 2 ? h("textarea", { ...bounds, rows: 4 }, spec.value ?? "") : h("input", { ...bounds, value: spec.value });
  }
  if (spec.type === 23) return h("input", { type: "checkbox", checked: spec.default, data });
  const several = spec.type === 22 || (spec.max_values ?? 1) > 1;
  return h("select", { multiple: several, required, data }, several || required ? null : h("option", { value: "" }, ""),
    (spec.options ?? []).map((o) => h("option", { value: o.value, selected: o.default }, o.label)));
}

function modalValues(body) {
  const values = {};
  for (const input of body.querySelectorAll("[data-kind]")) {
    const kind = Number(input.dataset.kind);
    const picked = () => [...input.selectedOptions].map((o) => o.value).filter(Boolean);
    if (kind === 23) values[input.dataset.id] = input.checked;
    else if (kind === 21) { if (picked().length) values[input.dataset.id] = picked()[0]; }
    else values[input.dataset.id] = kind === 4 ? input.value : picked();
  }
  return values;
}

/** The fields of a slash command; `complete(option, values, list)` fills a datalist. */
export function commandForm(command, place, texts, complete) {
  const fields = command.options.map((option) => h("label", { class: "field" },
    h("b", {}, option.label, option.required ? " *" : ""), h("span", { class: "small" }, option.about), optionInput(option, place, texts)));
  const form = h("form", { autocomplete: "off", class: "command" }, h("b", {}, `/${command.label}`), fields,
    h("div", { class: "row" }, h("button", { type: "button", class: "button secondary", data: { cancel: "" } }, texts.cancel),
      h("button", { class: "button primary" }, texts.send)));
  for (const input of form.querySelectorAll("[data-completes]")) {
    input.oninput = () => complete(input.name, optionValues(form), form.querySelector(`#${input.getAttribute("list")}`));
  }
  return form;
}

function optionInput(option, place, texts) {
  const common = { name: option.name, required: option.required };
  const list = (pairs) => h("select", common, h("option", { value: "" }, ""), pairs.map(([value, label]) => h("option", { value }, label)));
  if (option.choices.length) return list(option.choices.map((c) => [c.value, c.label]));
  if (option.type === 5) return list([["True", texts.yes], ["False", texts.no]]);
  if (option.type === 6) return list(Object.entries(place.names));
  if (option.type === 7) return list(place.channels.map((c) => [c.id, "#" + c.name]));
  if (option.type === 8) return list(Object.entries(place.roles));
  if (option.type === 9) return list([...Object.entries(place.names), ...Object.entries(place.roles)]);
  if (!option.completes) return h("input", { ...common, inputmode: option.type === 3 ? null : "decimal" });
  return h("span", {}, h("input", { ...common, list: `list-${option.name}`, data: { completes: "" } }), h("datalist", { id: `list-${option.name}` }));
}

export function optionValues(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
}
