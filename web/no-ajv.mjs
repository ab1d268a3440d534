// In place of ajv, which the test registry of @rjsf/core imports and nothing of ours uses: it makes code of schemas.
export default null;
