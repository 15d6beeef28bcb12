Redoc.init("../spec", { hideDownloadButtons: true }, document.getElementById("page"));
