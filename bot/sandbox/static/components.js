// Message components: Components V2 layouts, buttons and select menus.
import { h } from "./dom.js";
import { emoji, link, markdown, plain, roleName } from "./text.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** The element for one component; `at` holds {message, place, texts, waiting}. */
export function component(spec, at) {
  return MAKERS[spec.type]?.(spec, at) ?? null;
}

const all = (specs, at) => (specs ?? []).map((spec) => component(spec, at));

function button(spec, at) {
  const label = [spec.emoji ? emoji(spec.emoji) : null, spec.label ? h("span", {}, plain(spec.label)) : null];
  if (spec.url) return link(spec.url, [...label, "↗"], at.place, { class: "button secondary" });
  const waiting = at.waiting.has(`${at.message}/${spec.custom_id}`);
  return h("button", {
    class: `button ${STYLES[spec.style] ?? "secondary"}${waiting ? " waiting" : ""}`,
    type: "button", disabled: spec.disabled, data: { press: spec.custom_id, message: at.message },
  }, label);
}

/** What a select of users (5), roles (6), both (7) or channels (8) offers: [value, label] pairs. */
export function entities(type, place) {
  const users = () => Object.entries(place.names).map(([id, name]) => [id, "@" + name]);
  const roles = () => Object.keys(place.roles).map((id) => [id, roleName(id, place)]);
  if (type === 5) return users();
  if (type === 6) return roles();
  if (type === 7) return [...users(), ...roles()];
  return place.channels.map((channel) => [channel.id, "#" + channel.name]);
}

function select(spec, at) {
  const chosen = new Set(spec.type === 3 ? spec.options.filter((o) => o.default).map((o) => o.value)
    : (spec.default_values ?? []).map((value) => value.id));
  const offered = spec.type === 3
    ? spec.options.map((o) => [o.value, `${o.emoji && !o.emoji.id ? o.emoji.name + " " : ""}${o.label}${o.description ? ` · ${o.description}` : ""}`])
    : entities(spec.type, at.place);
  const hint = spec.placeholder ?? at.texts.choose;
  const data = { choose: spec.custom_id, message: at.message };
  if ((spec.max_values ?? 1) === 1 && (spec.min_values ?? 1) === 1) {
    return h("select", { disabled: spec.disabled, data, "aria-label": hint },
      h("option", { value: "", selected: !chosen.size, hidden: true }, hint),
      offered.map(([value, label]) => h("option", { value, selected: chosen.has(value) }, label)));
  }
  const names = offered.filter(([value]) => chosen.has(value)).map(([, label]) => label);
  return h("details", { class: "many" }, h("summary", {}, names.join(", ") || hint),
    h("div", { data }, offered.map(([value, label]) => h("label", {},
      h("input", { type: "checkbox", value, checked: chosen.has(value), disabled: spec.disabled }), " ", label)),
    h("button", { type: "button", class: "button primary", disabled: spec.disabled, data: { many: "" } }, at.texts.ok)));
}

const picture = (media, about) => h("img", { class: "picture", src: media.url, alt: about ?? "" });

const MAKERS = {
  1: (spec, at) => h("div", { class: "row" }, all(spec.components, at)),
  2: button,
  3: select, 5: select, 6: select, 8: select,
  10: (spec, at) => h("div", { class: "text" }, markdown(spec.content, at.place)),
  12: (spec) => h("div", { class: `gallery${spec.items.length === 1 ? " one" : ""}` }, spec.items.map((item) => picture(item.media, item.description))),
  17: (spec, at) => h("div", {
    class: `container${spec.spoiler ? " spoiler" : ""}`,
    style: spec.accent_color ? `border-left-color:#${spec.accent_color.toString(16).padStart(6, "0")}` : null,
  }, all(spec.components, at)),
};
