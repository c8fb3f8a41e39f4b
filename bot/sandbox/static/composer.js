// The line at the bottom: chat, replies, slash commands; and the panel above it.
import { h } from "./dom.js";
import { commandForm, optionValues } from "./forms.js";

const QUICK = [..."👀🍀🎲☕👃👂🙂😉👍🤔🔥🎉"];

export class Composer {
  #input = document.getElementById("say");
  #panel = document.getElementById("panel");
  #reply = null;

  /** `ask(order, then)` sends an order and hears its answer; `state` holds place and texts. */
  constructor(state, ask) {
    this.state = state;
    this.ask = ask;
    document.getElementById("composer").onsubmit = (event) => { event.preventDefault(); this.#submit(); };
    this.#input.oninput = () => this.#suggest();
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
  }

  close() {
    this.#panel.hidden = true;
    this.#panel.replaceChildren();
    this.#reply = null;
  }

  #show(...content) {
    this.#panel.replaceChildren(...content);
    this.#panel.hidden = false;
  }

  #submit() {
    const text = this.#input.value.trim();
    if (!text) return;
    if (text.startsWith("/")) {
      if (!this.run(text.slice(1))) return;
    } else {
      this.ask({ do: "say", content: this.#withMentions(text), reply_to: this.#reply });
      this.close();
    }
    this.#input.value = "";
  }

  #withMentions(text) {
    const names = Object.entries(this.state.place.names).sort(([, a], [, b]) => b.length - a.length);
    return names.reduce((said, [id, name]) => said.replaceAll(`@${name}`, `<@${id}>`), text);
  }

  #suggest() {
    const text = this.#input.value;
    if (!text.startsWith("/")) { if (!this.#reply) this.close(); return; }
    const found = this.state.place.commands.filter((c) => [c.label, c.name].some((name) => `/${name}`.startsWith(text.trim())));
    this.#show(h("div", { class: "commands" }, found.map((c) => h("button", { type: "button", class: "suggestion", data: { command: c.name } },
      h("b", {}, `/${c.label}`), " ", h("span", { class: "small" }, c.about)))));
  }

  /** Run a typed line such as `kems start players:4`, in English or in the viewer's words; gives false when more is needed. */
  run(line) {
    const [command, called] = this.state.place.commands.flatMap((c) => [[c, c.name], [c, c.label]])
      .filter(([, name]) => line === name || line.startsWith(name + " ")).sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
    if (!command) return false;
    const named = (key) => command.options.find((o) => o.label === key)?.name ?? key;
    const given = Object.fromEntries([...line.slice(called.length).matchAll(/(\S+?):("[^"]*"|\S+)/g)]
      .map(([, key, value]) => [named(key), value.replace(/^"|"$/g, "")]));
    if (command.options.some((o) => o.required && !(o.name in given))) { this.open(command.name); return false; }
    this.#send(command, given);
    return true;
  }

  /** Open the form of a command. */
  open(name) {
    const command = this.state.place.commands.find((c) => c.name === name);
    if (!command) return;
    const complete = (focus, values, list) => this.ask({ do: "complete", name, options: values, focus }, (answer) => {
      list.replaceChildren(...(answer.choices ?? []).map((c) => h("option", { value: c.value, label: c.name })));
    });
    const form = commandForm(command, this.state.place, this.state.texts, complete);
    form.onsubmit = (event) => { event.preventDefault(); this.#send(command, optionValues(form)); };
    form.querySelector("[data-cancel]").onclick = () => this.close();
    this.#input.value = "";
    this.#show(form);
    form.querySelector("input,select,button.primary")?.focus();
  }

  #send(command, values) {
    this.ask({ do: "slash", name: command.name, options: values });
    this.close();
  }

  /** Choose a reaction for a message. */
  pick(message) {
    const react = (emoji) => { this.ask({ do: "react", message, emoji, present: true }); this.close(); };
    const other = h("input", { placeholder: this.state.texts.emoji, maxlength: 16, class: "other", "aria-label": this.state.texts.emoji });
    other.onkeydown = (event) => { if (event.key === "Enter" && other.value.trim()) react(other.value.trim()); };
    const buttons = QUICK.map((emoji) => {
      const button = h("button", { type: "button", class: "reaction" }, emoji);
      button.onclick = () => react(emoji);
      return button;
    });
    this.#show(h("div", { class: "reactions" }, buttons, other));
  }

  /** Reply to a message with the next line. */
  replyTo(message, author) {
    this.#show(h("p", { class: "small" }, `${this.state.texts.replying} ${author}`));
    this.#reply = message;
    this.#input.focus();
  }
}
