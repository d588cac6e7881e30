// What somebody has chosen, for the next time.

/** How it looks outlives the tab, as on a wall that starts anew every night; what is looked for does not. */
type Where = "browser" | "tab";

function storage(where: Where): Storage {
  return where === "browser" ? localStorage : sessionStorage;
}

export function kept(what: string, where: Where): string | null {
  try {
    return storage(where).getItem(`recloser-${what}`);
  } catch {
    return null; // A browser that keeps nothing.
  }
}

export function keep(what: string, value: string, where: Where): void {
  try {
    if (value === "") {
      storage(where).removeItem(`recloser-${what}`);
    } else {
      storage(where).setItem(`recloser-${what}`, value);
    }
  } catch {
    // It is as it is until the page is closed.
  }
}

/** A field whose text outlives a reload of the page. */
export function keepText(what: string, field: HTMLInputElement): void {
  field.value = kept(what, "tab") ?? "";
  field.addEventListener("input", () => keep(what, field.value, "tab"));
}
