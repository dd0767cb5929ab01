// Menus close on Escape and on a click outside; after a failed change the focus goes to the problems.
// Every page works without this file.
(() => {
  "use strict";
  const openMenus = () => document.querySelectorAll("details.menu[open]");

  document.addEventListener("click", (event) => {
    openMenus().forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    openMenus().forEach((menu) => {
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  });

  const focusOn = (selector, root) => {
    const target = (root || document).querySelector(selector);
    if (!target) return false;
    if (!target.hasAttribute("tabindex")) target.setAttribute("tabindex", "-1");
    target.focus();
    return true;
  };
  // The list of problems of a form that did not pass.
  if (!focusOn(".notice.err[role=alert]#problems")) focusOn("[data-autofocus]");

  // A partial update that failed leaves what stood there and says so.
  const failed = document.createElement("p");
  const sayFailed = (event) => {
    const source = (event.detail && event.detail.ctx && event.detail.ctx.sourceElement) || event.target;
    const template = document.getElementById("update-failed");
    if (!template || !source || !source.closest || failed.isConnected) return;
    failed.className = "fine";
    failed.setAttribute("role", "status");
    failed.textContent = template.content.textContent.trim();
    source.closest("form, section, main, body").append(failed);
  };
  document.addEventListener("htmx:error", sayFailed);
  document.addEventListener("htmx:response:error", sayFailed);
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail && event.detail.ctx && event.detail.ctx.swap === "none") return;
    failed.remove();
    focusOn("[data-next-problem]", event.target instanceof Element ? event.target : document);
  });
  // Buttons marked data-print open the browser's dialog; the page itself prints well without them.
  document.querySelectorAll("[data-print]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  });
})();
