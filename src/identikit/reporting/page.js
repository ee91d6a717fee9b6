"use strict";
// The page is complete without this script: it adds copying, and pictures that can be zoomed into.
document.documentElement.classList.add("scripted");

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.closest(".listing").querySelector("pre").textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page opened as a file may not reach the clipboard this way.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "copied";
  });
}

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function draw(place) {
  const { data, layout } = JSON.parse(place.querySelector("script").textContent);
  const target = document.createElement("div");
  place.append(target);
  // Named one by one: the usual buttons include one that sends the data to a company's server.
  const modeBarButtons = [["zoom2d", "pan2d", "resetScale2d", "toImage"]];
  const options = { responsive: true, displaylogo: false, displayModeBar: "hover", modeBarButtons };
  return Plotly.newPlot(target, data, layout, options);
}

async function enliven() {
  const library = document.getElementById("plotly");
  const places = [...document.querySelectorAll(".alive")];
  if (!library || places.length === 0) return;
  const script = document.createElement("script");
  script.textContent = await unpacked(library.textContent.trim());
  document.head.append(script);
  if (typeof Plotly === "undefined") return;
  document.documentElement.classList.add("interactive");
  for (const place of places) await draw(place);
}

// Where a browser cannot do it, the still pictures stay.
enliven().catch((error) => {
  document.documentElement.classList.remove("interactive");
  console.warn(error);
});
