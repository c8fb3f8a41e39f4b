// Discord's markdown, mentions, emojis and times, as DOM nodes (never as HTML).
import { h } from "./dom.js";

const SUIT = /([\u2660-\u2667])[\uFE0E\uFE0F]?/u;
const RED = "\u2661\u2662\u2665\u2666";
const INLINE = [
  [/^\\([\\*_~`|>#-])/, (m) => m[1]],
  [/^`([^`]+)`/, (m) => h("code", {}, m[1])],
  [/^\|\|(.+?)\|\|/s, (m, p) => h("span", { class: "spoiler", tabindex: 0 }, inline(m[1], p))],
  [/^\*\*\*(.+?)\*\*\*/s, (m, p) => h("strong", {}, h("em", {}, inline(m[1], p)))],
  [/^\*\*(.+?)\*\*/s, (m, p) => h("strong", {}, inline(m[1], p))],
  [/^__(.+?)__/s, (m, p) => h("u", {}, inline(m[1], p))],
  [/^~~(.+?)~~/s, (m, p) => h("s", {}, inline(m[1], p))],
  [/^\*(?!\s)(.+?)\*/s, (m, p) => h("em", {}, inline(m[1], p))],
  [/^_(?!\s)(.+?)_(?!\w)/s, (m, p) => h("em", {}, inline(m[1], p))],
  [/^<(a?):(\w+):(\d+)>/, (m) => emoji({ name: m[2], id: m[3] })],
  [/^<@!?(\d+)>/, (m, p) => h("span", { class: m[1] === p.me ? "mention mine" : "mention" }, "@" + (p.names[m[1]] ?? m[1]))],
  [/^<@&(\d+)>/, (m, p) => h("span", { class: p.mine.includes(m[1]) ? "mention mine" : "mention" }, roleName(m[1], p))],
  [/^@(everyone|here)\b/, (m) => h("span", { class: "mention mine" }, m[0])],
  [/^<#(\d+)>/, (m, p) => h("a", { class: "mention", href: "#", data: { open: m[1] } }, "#" + channelName(m[1], p))],
  [/^<\/([^:>]+):\d+>/, (m) => h("span", { class: "mention" }, "/" + m[1])],
  [/^<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => h("time", { data: { at: m[1], style: m[2] ?? "f" } }, time(Number(m[1]), m[2] ?? "f"))],
  [/^\[([^\]]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, (m, p) => link(m[2], inline(m[1], p), p)],
  [/^https?:\/\/[^\s<>]+/, (m, p) => link(m[0], null, p)],
];

function channelName(id, place) {
  return place.channels.find((channel) => channel.id === id)?.name ?? id;
}

/** A role as it is mentioned; everybody's role has its mark in its name. */
export function roleName(id, place) {
  const name = place.roles[id] ?? id;
  return name.startsWith("@") ? name : "@" + name;
}

const PLACE = /^https:\/\/discord\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?$/;

/** A link; one to a channel or a message of this Discord opens in this page. `content` null: what it leads to. */
export function link(href, content, place, attributes = {}) {
  const [, open, at] = PLACE.exec(href) ?? [];
  if (!open) return h("a", { ...attributes, href, target: "_blank", rel: "noreferrer" }, content ?? href);
  return h("a", { class: content ? null : "mention", ...attributes, href: "#", data: at ? { open, at } : { open } },
    content ?? `#${channelName(open, place)}${at ? " › 💬" : ""}`);
}

/** A custom emoji as a picture, a Unicode one as text. */
export function emoji({ id, name }) {
  if (!id) return h("span", { class: "emoji" }, name);
  return h("img", { class: "emoji", src: `/emojis/${id}`, alt: `:${name}:`, title: `:${name}:` });
}

/** Plain text in which card suits are legible on a dark page. */
export function plain(text) {
  return text.split(SUIT).map((part, index) => index % 2 === 0 ? part
    : h("span", { class: RED.includes(part) ? "suit red" : "suit black" }, part));
}

function inline(text, place) {
  const nodes = [];
  let rest = text, run = "", before = "";
  while (rest) {
    const found = /[\\`|*_~<[h@]/.test(rest[0]) && firstMatch(rest, before);
    if (found) {
      nodes.push(...plain(run), found[1](found[0], place));
      run = "";
      before = found[0][0].at(-1);
      rest = rest.slice(found[0][0].length);
    } else {
      before = rest[0];
      run += rest[0];
      rest = rest.slice(1);
    }
  }
  return [...nodes, ...plain(run)];
}

function firstMatch(rest, before) {
  if (rest[0] === "_" && /\w/.test(before)) return null; // snake_case is no emphasis
  for (const [pattern, make] of INLINE) {
    const match = pattern.exec(rest);
    if (match) return [match, make];
  }
  return null;
}

/** Markdown blocks: headings, quotes, lists, code, subtext, lines. */
export function markdown(text, place) {
  const nodes = [];
  for (const [index, part] of text.split(/```(?:\w*\n)?([\s\S]*?)```/).entries()) {
    if (index % 2) nodes.push(h("pre", {}, h("code", {}, part)));
    else if (part) for (const line of part.replace(/^\n|\n$/g, "").split("\n")) nodes.push(block(line, place));
  }
  return nodes;
}

function block(line, place) {
  let match;
  if ((match = /^(#{1,3}) +(.*)/.exec(line))) return h(`h${match[1].length}`, {}, inline(match[2], place));
  if ((match = /^-# +(.*)/.exec(line))) return h("p", { class: "small" }, inline(match[1], place));
  if ((match = /^> ?(.*)/.exec(line))) return h("blockquote", {}, inline(match[1], place));
  if ((match = /^(\s*)[-*] +(.*)/.exec(line))) return h("p", { class: "item" }, "• ", inline(match[2], place));
  const bare = line.replace(/<a?:\w+:\d+>/g, "").replace(/[\p{Extended_Pictographic}\uFE0F\u200D\s]/gu, "");
  return h("p", { class: line.trim() && !bare ? "jumbo" : null }, inline(line, place), line ? null : h("br"));
}

const FORMATS = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
};
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** A Discord timestamp (Unix seconds) in words. */
export function time(at, style) {
  const locale = document.documentElement.lang;
  if (style !== "R") return new Intl.DateTimeFormat(locale, FORMATS[style]).format(at * 1000);
  const away = Math.round(at - Date.now() / 1000);
  const [unit, size] = STEPS.find(([, seconds]) => Math.abs(away) >= seconds) ?? STEPS[3];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(away / size), unit);
}

setInterval(() => {
  for (const shown of document.querySelectorAll('time[data-style="R"]')) {
    const words = time(Number(shown.dataset.at), "R");
    if (shown.textContent !== words) shown.textContent = words;
  }
}, 500);
