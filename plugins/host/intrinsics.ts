const constructors = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, RegExp, Date, Promise, Error],
  ...[Map, Set, WeakMap, Uint8Array, ArrayBuffer, Buffer, TextDecoder, URL],
];

/** Objects that all code of a process shares and could change for later code. */
const shared: readonly object[] = [
  ...constructors,
  ...constructors.map((each) => each.prototype as object),
  ...[JSON, Math, Reflect],
];

type Properties = ReadonlyMap<PropertyKey, PropertyDescriptor>;

const propertiesOf = (each: object): Properties =>
  new Map(
    Reflect.ownKeys(each).map((key) => [
      key,
      Reflect.getOwnPropertyDescriptor(each, key) as PropertyDescriptor,
    ]),
  );

const areSame = (one: Properties, other: Properties): boolean =>
  one.size === other.size &&
  [...one].every(([key, its]) => {
    const now = other.get(key);
    return (['value', 'get', 'set'] as const).every(
      (part) => now !== undefined && Object.is(its[part], now[part]),
    );
  });

/**
 * Prevents additions to the prototype of all objects, as a document with a key `__proto__` would attempt. Returns a
 * function that checks whether the shared objects are unchanged since this call.
 */
export function sealIntrinsics(): () => boolean {
  Object.preventExtensions(Object.prototype);
  const before = shared.map((each) => [each, propertiesOf(each)] as const);
  const names = constructors.map((each) => [each.name, each] as const);
  return () =>
    names.every(([name, each]) => (globalThis as Record<string, unknown>)[name] === each) &&
    before.every(([each, properties]) => areSame(properties, propertiesOf(each)));
}
