// The page of one viewer: a socket, what it was told, and what the viewer does.
import { Composer } from "./composer.js";
import { h, morph } from "./dom.js";
import { openModal } from "./forms.js";
import { avatar, message } from "./messages.js";

const AGAIN_MS = 1000;
const NEAR = 80; // pixels from the end at which the page still follows what is new
const viewer = location.pathname.split("/").pop();
const catalogue = await (await fetch("/static/texts.json")).json();
const textsOf = (locale) => catalogue[locale.slice(0, 2)] ?? catalogue.en;
const list = document.getElementById("messages");
const notice = document.getElementById("notice");
const jump = document.getElementById("jump");
const HIDDEN = `hidden ${viewer}`; // what the viewer dismissed stays so when the page is loaded again

const state = {
  place: null, texts: textsOf(document.documentElement.lang), order: [], known: new Map(), waiting: new Set(), seen: new Map(),
  hidden: new Set(JSON.parse(sessionStorage.getItem(HIDDEN) ?? "[]")),
  follows: true, unread: 0, wanted: null, // whether the end is in sight; messages below it; the message to go to
};
const asked = new Map(); // ask -> {then, key}
let socket = null, lastAsk = 0, noticeTimer = 0;

/** Send an order; `then` hears the answer, `key` marks what waits for it. */
function ask(order, then = () => {}, key = null) {
  if (socket.readyState !== WebSocket.OPEN) return;
  asked.set(++lastAsk, { then, key });
  tellBusy();
  if (key) { state.waiting.add(key); draw(); }
  socket.send(JSON.stringify({ ...order, ask: lastAsk }));
}

/** Let the list say whether an order is under way: what its answer shows stands there once it is not. */
function tellBusy() {
  list.setAttribute("aria-busy", asked.size > 0);
}

const composer = new Composer(state, ask);

function tell(text) {
  notice.textContent = text;
  notice.hidden = !text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, 5000);
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/${viewer}/socket?locale=${document.documentElement.lang}`);
  socket.onmessage = ({ data }) => { const told = JSON.parse(data); HEARD[told.is](told); };
  socket.onopen = () => { state.known.clear(); state.waiting.clear(); asked.clear(); tellBusy(); tell(""); };
  socket.onclose = () => { tell(state.texts.lost); setTimeout(connect, AGAIN_MS); };
}

const HEARD = {
  place({ place }) {
    if (state.place && place.channel !== state.place.channel) {
      state.known.clear();
      list.replaceChildren();
      state.follows = true;
    }
    state.place = place;
    state.texts = textsOf(place.locale);
    document.documentElement.lang = place.locale.slice(0, 2);
    document.title = `${place.names[place.me]} · ${place.guild}`;
    drawFrame();
    draw();
  },
  messages({ order, changed }) {
    if (!state.follows) state.unread += changed.filter((it) => !state.known.has(it.id)).length;
    for (const it of changed) state.known.set(it.id, it);
    state.order = order;
    draw();
    state.wanted = null;
  },
  answered({ ask: number, form, ...answer }) {
    settle(number)?.then(answer);
    if (form) openModal(form, state.place, state.texts, (values) => ask({ do: "submit", interaction: form.interaction, values }));
  },
  failed({ ask: number, why, word, told }) {
    settle(number);
    const words = state.texts[word];
    const said = words ? words.replace(/\{(\w+)\}/g, (_, name) => told[name]) : why;
    tell(said ? `${state.texts.failed} ${said}` : state.texts.failed);
  },
};

function settle(number) {
  const done = asked.get(number);
  asked.delete(number);
  tellBusy();
  if (done?.key) { state.waiting.delete(done.key); draw(); }
  return done;
}

function drawFrame() {
  const { place, texts } = state;
  document.getElementById("who").replaceChildren(avatar(place.me, place), h("b", {}, place.names[place.me]));
  document.getElementById("say").placeholder = texts.say;
  document.getElementById("send").setAttribute("aria-label", texts.send);
  const locale = document.getElementById("locale");
  if (!locale.options.length) locale.append(...place.locales.map((code) => h("option", { value: code }, code.slice(0, 2).toUpperCase())));
  locale.value = place.locale;
  locale.setAttribute("aria-label", texts.language);
  for (const channel of place.channels) if (!state.seen.has(channel.id)) state.seen.set(channel.id, state.seen.size > 0 && channel.thread);
  state.seen.set(place.channel, false);
  const here = place.channels.find((c) => c.id === place.channel);
  const parent = here?.thread && place.channels.find((c) => c.id === here.parent);
  document.getElementById("channels").replaceChildren(
    ...(parent ? [h("button", { type: "button", data: { open: parent.id }, "aria-label": texts.back }, "‹")] : []),
    ...place.channels.map((c) => h("button", {
      type: "button", data: { open: c.id }, class: [c.id === place.channel && "here", state.seen.get(c.id) && "new"].filter(Boolean).join(" "),
    }, (c.thread ? "🧵 " : "# ") + c.name)));
  const beside = document.getElementById("beside");
  beside.hidden = !place.other || window !== top;
  if (place.other) {
    beside.href = `/beside/${viewer}/${place.other.slug}${location.search}`;
    beside.textContent = `◫ ${place.other.name}`;
    beside.title = texts.beside.replace("{name}", place.other.name);
  }
}

/** Bring the messages up to date in place, and stay at the end if that is where the viewer was. */
function draw() {
  if (!state.place) return;
  const wanted = state.order.map((id) => state.known.get(id)).filter((it) => it && !state.hidden.has(it.id));
  const ids = new Set(wanted.map((it) => `m${it.id}`));
  for (const child of [...list.children]) if (!ids.has(child.id)) child.remove();
  wanted.forEach((it, index) => {
    const fresh = message(it, state);
    const shown = document.getElementById(fresh.id);
    if (shown) morph(shown, fresh);
    else list.insertBefore(fresh, list.children[index] ?? null);
  });
  if (!wanted.length) list.append(h("section", { id: "welcome" }, h("p", {}, state.texts.empty)));
  const found = state.wanted && document.getElementById(`m${state.wanted}`);
  if (found) {
    state.follows = false;
    found.scrollIntoView({ block: "center" });
    found.classList.add("found");
  }
  follow();
}

/** Go to the end if the viewer was there; else offer to. */
function follow() {
  if (state.follows) list.scrollTop = list.scrollHeight;
  state.top = list.scrollTop;
  const { texts, unread } = state;
  jump.hidden = state.follows;
  jump.className = unread ? "news" : "";
  jump.replaceChildren(
    h("span", {}, unread > 1 ? texts.unread.replace("{count}", unread) : unread ? texts.unread_one : texts.older),
    h("b", {}, texts.newest, " ↓"));
}

/** A viewer who scrolls up leaves the end; a message that has grown since the last scroll does not move them. */
function look() {
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  state.follows = isAtEnd || (state.follows && list.scrollTop >= state.top);
  if (state.follows) state.unread = 0;
  follow();
}

const CLICKED = {
  press: (d) => { const key = `${d.message}/${d.press}`; if (!state.waiting.has(key)) ask({ do: "press", message: d.message, custom_id: d.press }, undefined, key); },
  react: (d) => ask({ do: "react", message: d.message, emoji: d.react, present: Boolean(d.present) }),
  pick: (d) => composer.pick(d.pick),
  reply: (d) => composer.replyTo(d.reply, state.place.names[state.known.get(d.reply).author]),
  hide: (d) => { state.hidden.add(d.hide); sessionStorage.setItem(HIDDEN, JSON.stringify([...state.hidden])); draw(); },
  open: (d) => { state.wanted = d.at ?? null; if (d.open === state.place.channel) { draw(); state.wanted = null; } else ask({ do: "open", channel: d.open }); },
  command: (d) => composer.open(d.command),
  many: (_d, element) => {
    const box = element.parentElement;
    const values = [...box.querySelectorAll("input:checked")].map((input) => input.value);
    box.parentElement.open = false;
    ask({ do: "press", message: box.dataset.message, custom_id: box.dataset.choose, values });
  },
};

document.addEventListener("click", (event) => {
  event.target.closest(".spoiler")?.classList.add("shown");
  const element = event.target.closest("[data-press],[data-react],[data-pick],[data-reply],[data-hide],[data-open],[data-command],[data-many]");
  if (!element) return;
  event.preventDefault();
  const what = Object.keys(CLICKED).find((name) => name in element.dataset);
  CLICKED[what](element.dataset, element);
});

list.addEventListener("change", (event) => {
  const { choose, message: id } = event.target.dataset;
  if (event.target.tagName === "SELECT") ask({ do: "press", message: id, custom_id: choose, values: [event.target.value] });
});

list.addEventListener("scroll", look);
list.addEventListener("load", follow, true); // a picture that has come makes its message higher
new ResizeObserver(follow).observe(list);
jump.onclick = () => { state.follows = true; state.unread = 0; follow(); };

document.getElementById("locale").onchange = ({ target }) => {
  history.replaceState(null, "", `?locale=${target.value}`); // it stays chosen when the page is loaded again
  ask({ do: "locale", locale: target.value });
};

connect();
