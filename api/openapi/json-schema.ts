/** The parts of a JSON Schema that the document's renderer reads. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly discriminator?: { readonly propertyName: string };
  readonly examples?: readonly unknown[];
}

export function typesOf({ type = [] }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** Whether a schema accepts only objects, with listed properties. */
export function isModel(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.properties !== undefined;
}

/** Whether a schema accepts objects with arbitrary property names whose values have a schema. */
export function isMap({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && properties === undefined && typeof additionalProperties === 'object';
}

/** Whether a schema accepts objects with any properties. */
export function isFreeForm(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' &&
    schema.properties === undefined &&
    schema.oneOf === undefined &&
    !isMap(schema)
  );
}

/** Whether a schema is a choice between objects that a property tells apart. */
export function isTaggedUnion({ discriminator, oneOf }: JsonSchema): boolean {
  return discriminator !== undefined && oneOf !== undefined;
}

/** Whether a schema is a choice that includes an object. Such a schema is a named component of the document. */
export function isUnion({ oneOf = [], anyOf = [] }: JsonSchema): boolean {
  return [...oneOf, ...anyOf].some((each) => isModel(each) || isUnion(each));
}

/** Returns a copy without undefined keywords. */
export function compact<T extends object>(schema: T): T {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as T;
}
