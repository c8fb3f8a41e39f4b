// Building elements, and bringing a shown element up to date without replacing what stays.

/** An element: h("p", {class: "x", data: {id: 1}}, "text", child, null). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "data") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Make `shown` look like `wanted`. Nodes of the same kind are kept, so a button that is being
 * pressed survives an update, and with it the press. What the viewer opened stays open.
 */
export function morph(shown, wanted) {
  for (const { name } of [...shown.attributes]) {
    if (!wanted.hasAttribute(name) && name !== "open") shown.removeAttribute(name);
  }
  for (const { name, value } of [...wanted.attributes]) {
    if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
  }
  const old = [...shown.childNodes];
  const fresh = [...wanted.childNodes];
  fresh.forEach((node, index) => {
    const here = old[index];
    if (!here) shown.append(node);
    else if (here.nodeType !== node.nodeType || here.nodeName !== node.nodeName) here.replaceWith(node);
    else if (node.nodeType === Node.TEXT_NODE) { if (here.data !== node.data) here.data = node.data; }
    else morph(here, node);
  });
  old.slice(fresh.length).forEach((node) => node.remove());
}
