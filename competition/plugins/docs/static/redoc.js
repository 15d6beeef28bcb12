// Show the API with Redoc. This script knows no address: it finds the document relative to its own.

const spec = new URL("../spec", document.currentScript.src);
Redoc.init(spec.href, { hideDownloadButtons: true }, document.getElementById("page"));
