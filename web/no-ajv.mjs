// Replaces ajv, which generates code from schemas. Only the test registry of @rjsf/core, which is unused, imports it.
export default null;
