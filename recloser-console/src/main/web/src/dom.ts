// Small tools for elements. Nothing here makes markup of text.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  append(element, children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child) {
      element.append(child);
    }
  }
}

/** Changes text only where it is another: selections and screen readers stay where they are. */
export function text(element: Element, value: string): void {
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

export function attribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) {
    element.setAttribute(name, value);
  }
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`no element ${id}`);
  }
  return element;
}

/** Width and place by way of the object model, which the content security policy allows. */
export function percent(element: HTMLElement, property: "width" | "left", value: number): void {
  element.style.setProperty(property, `${Math.max(0, Math.min(100, value)).toFixed(1)}%`);
}
