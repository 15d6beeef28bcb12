const spec = new URL("../spec", document.currentScript.src);
Redoc.init(spec.href, { hideDownloadButtons: true }, document.getElementById("page"));
