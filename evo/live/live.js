// Keeps the page up to date. The server renders everything; this script only asks for the page again and puts the parts
// that have changed in the place of the old ones. Without it, the page is the same but has to be reloaded.
"use strict";

const watched = document.body.dataset.watched.split(" ").filter(Boolean);
const connection = document.getElementById("connection");
let state = document.body.dataset.state;
let asking = false;
let again = false;

function put(old, fresh) {
  if (old.tagName === "IMG") {
    if (old.getAttribute("src") !== fresh.getAttribute("src")) old.src = fresh.getAttribute("src");
    old.alt = fresh.alt;
    return;
  }
  const ticked = [...old.querySelectorAll("input:checked")].map((box) => box.id);
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  if (old.innerHTML === fresh.innerHTML) return;
  old.replaceChildren(...fresh.childNodes);
  for (const id of ticked.filter(Boolean)) {
    const box = document.getElementById(id);
    if (box) box.checked = true;
  }
  if (focused) document.getElementById(focused)?.focus();
}

async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const old of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(old.id);
      if (fresh) put(old, fresh);
    }
    state = page.body.dataset.state;
  } catch {
    // The connection is lost; the event source says so and asks again.
  } finally {
    asking = false;
  }
  if (again) {
    again = false;
    refresh();
  }
}

let events = null;

function listen() {
  events = new EventSource("/events");
  events.onmessage = (event) => {
    const versions = JSON.parse(event.data);
    connection.textContent = "live";
    connection.classList.remove("lost");
    if (watched.map((id) => versions[id] ?? "").join(" ") !== state) refresh();
  };
  events.onerror = () => {
    connection.textContent = "connection lost; trying again";
    connection.classList.add("lost");
  };
}

if (watched.length) {
  if (!document.hidden) listen();
  document.addEventListener("visibilitychange", () => {
    // A browser keeps few connections to one server: a page that nobody sees gives its own up.
    events?.close();
    if (!document.hidden) listen();
  });
}

const view = document.getElementById("view");
if (view) {
  view.addEventListener("change", () => {
    const chosen = new URLSearchParams(new FormData(view));
    history.replaceState(null, "", `${location.pathname}?${chosen}${location.hash}`);
    refresh();
  });
}

const check = document.getElementById("check");
if (check) {
  // Anywhere on the page: a file that is dropped beside the form would otherwise replace the page.
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    check.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) check.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    check.classList.remove("dropping");
    const { files } = event.dataTransfer;
    if (files.length) document.getElementById("file").files = files;
    else document.getElementById("link").value = event.dataTransfer.getData("text/plain");
    check.requestSubmit();
  });
}
