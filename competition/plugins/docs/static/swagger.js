// Calls go to where this page came from, whatever public address the document names.
fetch("../spec")
  .then((reply) => reply.json())
  .then((spec) => {
    spec.servers = [{ url: new URL("..", location.href).href.replace(/\/docs\/$/, "") }];
    SwaggerUIBundle({
      spec,
      dom_id: "#page",
      deepLinking: true,
      presets: [SwaggerUIBundle.presets.apis],
      validatorUrl: null,
    });
  });
