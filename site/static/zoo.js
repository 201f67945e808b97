// The filters of the front page; without JavaScript it shows every entry.
"use strict";

function filters(form) {
  const items = [...document.querySelectorAll("[data-kind]")];
  const sections = [...document.querySelectorAll("main section")].filter((section) => section.querySelector("[data-kind]"));
  const texts = items.map((item) => item.textContent.toLowerCase());
  const show = () => {
    const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = new Set([...form.querySelectorAll("[name=kind]:checked")].map((box) => box.value));
    let shown = 0;
    items.forEach((item, i) => {
      item.hidden = !kinds.has(item.dataset.kind) || !words.every((word) => texts[i].includes(word));
      shown += item.hidden ? 0 : 1;
    });
    for (const section of sections) section.hidden = !section.querySelector("[data-kind]:not([hidden])");
    document.getElementById("count").textContent = `${shown} of ${items.length} entries`;
  };
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

filters(document.getElementById("filters"));
