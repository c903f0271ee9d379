// Shows the description of this server; no other address is asked for anything.
globalThis.SwaggerUIBundle({
  dom_id: '#reference',
  url: 'v1/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
