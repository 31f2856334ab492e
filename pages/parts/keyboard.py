"""What pages do with the keyboard beyond Streamlit: they read typed numbers, and lead Tab."""

# Chromium drops a comma from a number field without a word, so "0,07" becomes 7, and Streamlit cuts "2.5" and "1e3"
# in a field of whole numbers. So a field is one of text while the user types, and its text becomes a number when it
# is committed; a text that has no single meaning is refused next to the field, and the value stays. Fields of whole
# numbers have the largest whole number of JavaScript as their upper end.
_TYPED_NUMBERS = r"""<script>(() => {
  if (window.topicsetTypedNumbers) return;
  window.topicsetTypedNumbers = true;
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
  const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;
  const FIELD = "[data-testid=stNumberInputField]";
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const changed = new WeakSet();
  const isWhole = field => Number.isSafeInteger(Number(field.max));

  function read(field) {
    const typed = field.value.trim(), whole = isWhole(field);
    let text = typed.replace("\u2212", "-");
    if (THOUSANDS.test(text)) {
      const plain = text.replaceAll(",", "");
      if (!whole && plain.length === text.length - 1 && !text.includes(".")) {
        const both = `${Number(text.replace(",", "."))} or ${plain}`;
        return [null, `Expected a number without a comma, found ${typed}; write ${both}.`];
      }
      text = plain;
    } else if (DECIMAL_COMMA.test(text)) text = text.replace(",", ".");
    if (!NUMBER.test(text)) return [null, `Expected a number such as ${whole ? 50 : 0.07}, found ${typed}.`];
    if (whole && !Number.isInteger(Number(text))) return [null, `Expected a whole number, found ${typed}.`];
    return [whole ? String(Number(text)) : text, ""];
  }

  function complain(field, text) {
    const box = field.closest("[data-testid=stNumberInput]");
    box.querySelector(".typed-number")?.remove();
    if (!text) return field.removeAttribute("aria-invalid");
    field.setAttribute("aria-invalid", "true");
    const place = document.createElement("div");
    place.className = "typed-number";
    place.setAttribute("role", "alert");
    place.textContent = `${text} The previous value stays in use.`;
    box.append(place);
  }

  function commit(event) {
    const field = event.target;
    if (!field.matches?.(FIELD) || !changed.has(field)) return;
    const [number, complaint] = field.value.trim() === "" ? ["", ""] : read(field);
    complain(field, complaint);
    if (complaint) return event.stopImmediatePropagation();
    changed.delete(field);
    if (number === field.value) return;
    write.call(field, number);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    changed.delete(field);
  }

  window.addEventListener("focusin", event => {
    if (event.target.matches?.(FIELD) && event.target.type === "number") {
      event.target.type = "text";
      event.target.inputMode = "decimal";
      event.target.select();  // as the field was, before its type changed, where Tab led to it
    }
  }, true);
  window.addEventListener("input", event => {
    if (event.target.matches?.(FIELD)) changed.add(event.target);
  }, true);
  window.addEventListener("focusout", commit, true);
  window.addEventListener("keydown", event => {
    if (["Enter", "ArrowUp", "ArrowDown"].includes(event.key)) commit(event);
    if (event.key === "Escape" && event.target.matches?.(FIELD)) complain(event.target, "");
  }, true);
  window.addEventListener("click", event => {  // of buttons that commit the text of a field as it is
    const button = event.target.closest?.("button");
    const isSubmit = button?.matches("[data-testid$=FormSubmit]");
    const place = button?.closest(isSubmit ? "[data-testid=stForm]" : "[data-testid=stNumberInput]");
    const refused = place?.querySelector(`${FIELD}[aria-invalid=true]`);
    if (!refused) return;
    if (button.matches("[data-testid=stNumberInputClearButton]")) return complain(refused, "");
    event.stopImmediatePropagation();
    refused.focus();
  }, true);
})()</script>"""


# The first press of Tab on a page is on a link to its form. In the form, Tab goes from field to field, then to the
# help of each, then on. It stands outside of what Streamlit draws, which therefore does not remove it.
_TO_THE_FORM = r"""<script>(() => {
  if (window.topicsetTab) return;
  window.topicsetTab = true;
  const COLUMNS = ".st-key-form-and-answer > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock]";
  const FORM = `${COLUMNS} > [data-testid=stColumn]:first-child`;
  const HELP = "[aria-label=Help], [aria-label^='Help for ']";
  const PLACES = "a[href], button, input, select, textarea, summary, [tabindex]";

  function isPlace(one) {
    if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({ visibilityProperty: true })) return false;
    if (one.type !== "radio" || one.checked) return true;
    return ![...document.getElementsByName(one.name)].some(other => other.checked);  // a group is one place
  }

  const FIELD = "input, textarea, select, [role=radio], [role=combobox], [data-testid=stFileUploader] button";
  const places = within => [...within.querySelectorAll(PLACES)].filter(isPlace);

  function inOrder(form) {
    const all = places(form);
    return [...all.filter(one => !one.matches(HELP)), ...all.filter(one => one.matches(HELP))];
  }

  function go(place) {
    place.focus();
    if (place.matches("input") && place.select) place.select();
  }

  const link = document.createElement("a");
  link.className = "to-the-form";
  link.href = "#form";
  link.textContent = "To the form";
  link.addEventListener("click", event => {
    event.preventDefault();
    const main = document.querySelector(FORM) || document.querySelector("[data-testid=stMainBlockContainer]");
    const all = main ? inOrder(main).filter(one => !one.closest(".st-key-head")) : [];
    const first = all.find(one => one.matches(FIELD)) || all[0];
    if (first) go(first);
  });
  document.body.prepend(link);

  window.addEventListener("keydown", event => {
    if (event.key !== "Tab" || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const here = document.activeElement, form = document.querySelector(FORM);
    if (!form) return;
    const outside = places(document).filter(one => !form.contains(one));
    const before = outside.filter(one => form.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING);
    const all = [...before, ...inOrder(form), ...outside.slice(before.length)], at = all.indexOf(here);
    const next = at < 0 ? undefined : all[at + (event.shiftKey ? -1 : 1)];
    if (!next || !(form.contains(here) || form.contains(next))) return;
    event.preventDefault();
    go(next);
  });
})()</script>"""

SCRIPTS = _TYPED_NUMBERS + _TO_THE_FORM
