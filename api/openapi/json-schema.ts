/** A JSON Schema, as the document's renderer reads it. */
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

/** Whether a schema is of objects, and of nothing else, with properties that it lists. */
export function isModel(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.properties !== undefined;
}

/** Whether a schema is of objects with properties of any name, whose values have a schema. */
export function isMap({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && properties === undefined && typeof additionalProperties === 'object';
}

/** Whether a schema is of objects with any properties. */
export function isFreeForm(schema: JsonSchema): boolean {
  return (
    schema.type === 'object' &&
    schema.properties === undefined &&
    schema.oneOf === undefined &&
    !isMap(schema)
  );
}

/** Whether a schema is a choice between objects that are told apart by a property. */
export function isTaggedUnion({ discriminator, oneOf }: JsonSchema): boolean {
  return discriminator !== undefined && oneOf !== undefined;
}

/** Whether a schema is a choice with an object in it: one that has a name of its own in the document. */
export function isUnion({ oneOf = [], anyOf = [] }: JsonSchema): boolean {
  return [...oneOf, ...anyOf].some((each) => isModel(each) || isUnion(each));
}

/** A copy without the keywords that are undefined. */
export function compact<T extends object>(schema: T): T {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as T;
}
