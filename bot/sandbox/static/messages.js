// One message as an element.
import { component } from "./components.js";
import { h } from "./dom.js";
import { emoji, markdown } from "./text.js";

const COLOURS = ["#5865f2", "#3ba55d", "#c27c0e", "#9b59b6", "#e0526a", "#1f8b9c"];

export function avatar(id, place) {
  const name = place.names[id] ?? "?";
  const colour = COLOURS[Number(BigInt(id) % BigInt(COLOURS.length))];
  return h("span", { class: "avatar", style: `background:${colour}` }, [...name][0]);
}

/** The whole message; `at` holds {place, texts, waiting}. */
export function message(it, at) {
  const inside = { ...at, message: it.id };
  const { place, texts } = at;
  const clock = new Intl.DateTimeFormat(place.locale, { timeStyle: "short" }).format(new Date(it.time));
  const lead = it.reply ? h("div", { class: "lead" }, "↪ ", h("b", {}, place.names[it.reply.author]), " ", it.reply.content.slice(0, 80))
    : it.asked ? h("div", { class: "lead" }, "↪ ", h("b", {}, place.names[it.asked.by]), " ", texts[it.asked.word]) : null;
  const isForMe = it.pings.some((id) => id === place.me || place.mine.includes(id));
  const classes = ["message", it.ephemeral && "ephemeral", isForMe && "pinged"];
  return h("article", { class: classes.filter(Boolean).join(" "), id: `m${it.id}` },
    lead,
    avatar(it.author, place),
    h("div", { class: "head" }, h("b", {}, place.names[it.author]), it.bot ? h("span", { class: "app" }, "APP") : null,
      h("span", { class: "when" }, clock, it.edited ? ` (${texts.edited})` : "")),
    h("div", { class: "body" },
      it.loading ? h("p", { class: "thinking" }, texts.thinking) : null,
      it.content ? h("div", { class: "text" }, markdown(it.content, place)) : null,
      it.attachments.filter((a) => !usedInLayout(a, it)).map(attachment),
      it.components.map((spec) => component(spec, inside)),
      reactions(it),
      it.thread ? thread(it.thread, texts) : null),
    it.ephemeral ? null : h("div", { class: "tools" },
      h("button", { type: "button", class: "tool", title: texts.react, "aria-label": texts.react, data: { pick: it.id } }, "☺"),
      h("button", { type: "button", class: "tool", title: texts.reply, "aria-label": texts.reply, data: { reply: it.id } }, "↩")),
    it.ephemeral ? h("div", { class: "private" }, "👁 ", texts.only_you, " · ",
      h("button", { type: "button", class: "link", data: { hide: it.id } }, texts.hide)) : null);
}

function usedInLayout(file, it) {
  return JSON.stringify(it.components).includes(file.url);
}

function attachment(file) {
  if (file.content_type?.startsWith("image/")) return h("img", { class: "picture", src: file.url, alt: file.description ?? file.filename });
  return h("a", { class: "file", href: file.url, download: "" }, "📄 ", file.filename);
}

/** What stands below the message from which a thread was started. */
function thread({ id, name }, texts) {
  return h("button", { type: "button", class: "thread", data: { open: id } },
    h("b", {}, "🧵 ", name), h("span", { class: "small" }, texts.thread));
}

function reactions(it) {
  if (!it.reactions.length) return null;
  return h("div", { class: "reactions" },
    it.reactions.map((r) => h("button", {
      type: "button", class: r.mine ? "reaction mine" : "reaction",
      data: { react: r.emoji.id ? `${r.emoji.name}:${r.emoji.id}` : r.emoji.name, message: it.id, present: r.mine ? "" : "1" },
    }, emoji(r.emoji), ` ${r.count}`)));
}
