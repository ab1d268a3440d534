import { parseUrl } from '@knowledge-warehouse/plugin/protocol';

/** The kind of process; some settings are only required by some kinds. */
export type ProcessRole = 'start' | 'api' | 'worker' | 'migrate' | 'keys' | 'verify' | 'doctor';

/** A setting: how its text is parsed, and its documentation. */
export interface Setting<T> {
  /** The value if the variable is missing or empty; null if there is no default. */
  readonly default: T;
  readonly description: string;
  /** The kind of value, as shown in `.env.example`. */
  readonly type: string;
  /** Whether the value must never be logged or printed. */
  readonly secret: boolean;
  /** The processes that do not start without this setting. */
  readonly neededBy: readonly ProcessRole[];
  /** The default as shown in `.env.example`, if `default` itself does not tell. */
  readonly shownDefault?: string;
  /** Parses the text. Throws an Error whose message completes the sentence "NAME …". */
  parse(text: string): T;
}

interface Declaration {
  readonly description: string;
  readonly secret?: boolean;
  readonly neededBy?: readonly ProcessRole[];
  readonly shownDefault?: string;
}

interface TextDeclaration extends Declaration {
  readonly type?: string;
  readonly check?: (value: string) => void;
}

function setting<T>(
  type: string,
  fallback: T,
  declared: Declaration,
  parse: (text: string) => T,
): Setting<T> {
  return { secret: false, neededBy: [], ...declared, type, default: fallback, parse };
}

/** A text; `check` throws if it is invalid. */
export function text<T extends string | null>(
  declared: TextDeclaration & { readonly default: T },
): Setting<string | T> {
  return setting<string | T>(declared.type ?? 'text', declared.default, declared, (value) => {
    declared.check?.(value);
    return value;
  });
}

export function optionalText(declared: TextDeclaration): Setting<string | null> {
  return text({ ...declared, default: null });
}

/** A number within inclusive bounds. */
export function number(
  declared: Declaration & {
    readonly default: number;
    readonly min: number;
    readonly max: number;
    readonly whole?: boolean;
  },
): Setting<number> {
  const { min, max, whole = true } = declared;
  const kind = whole ? 'whole number' : 'number';
  return setting(kind, declared.default, declared, (value) => {
    const parsed = Number(value);
    if (
      !Number.isFinite(parsed) ||
      (whole && !Number.isSafeInteger(parsed)) ||
      parsed < min ||
      parsed > max
    ) {
      throw new Error(`must be a ${kind} from ${min} to ${max}, not "${value}"`);
    }
    return parsed;
  });
}

const truth: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** true or false; the default may be null. */
export function flag<T extends boolean | null>(
  declared: Declaration & { readonly default: T },
): Setting<boolean | T> {
  return setting<boolean | T>('true or false', declared.default, declared, (value) => {
    const parsed = truth[value.toLowerCase()];
    if (parsed === undefined) throw new Error(`must be true or false, not "${value}"`);
    return parsed;
  });
}

/** One of several words. */
export function choice<const T extends string>(
  declared: Declaration & { readonly default: T; readonly of: readonly T[] },
): Setting<T> {
  return setting<T>(declared.of.join(', '), declared.default, declared, (value) => {
    const found = declared.of.find((word) => word === value.toLowerCase());
    if (found === undefined) throw new Error(`must be one of ${declared.of.join(', ')}, not "${value}"`);
    return found;
  });
}

/** A comma-separated list; `check` throws for an invalid entry. */
export function list(
  declared: Declaration & { readonly check?: (value: string) => void },
): Setting<readonly string[] | null> {
  return setting<readonly string[] | null>('list, separated by commas', null, declared, (value) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length === 0) throw new Error('lists nothing');
    items.forEach((item) => declared.check?.(item));
    return items;
  });
}

/** Key-value pairs in the format of OpenTelemetry's settings: `a=1,b=2`, values percent-encoded. */
export function pairs(declared: Declaration): Setting<Readonly<Record<string, string>> | null> {
  type Pairs = Readonly<Record<string, string>>;
  return setting<Pairs | null>('name=value, separated by commas', null, declared, (value) => {
    try {
      return Object.fromEntries(
        value.split(',').map((pair) => {
          const [name = '', ...rest] = pair.split('=');
          if (name.trim() === '' || rest.length === 0) throw new URIError(pair);
          return [name.trim(), decodeURIComponent(rest.join('=').trim())] as const;
        }),
      );
    } catch {
      throw new Error('must be name=value, separated by commas, with values percent-encoded');
    }
  });
}

/** An http(s) URL without query, fragment or credentials; its trailing slash is removed. */
export function httpUrl(declared: Declaration): Setting<string | null> {
  return setting<string | null>('http(s) URL', null, declared, (value) => {
    const parsed = parseUrl(value);
    if (parsed === null && /^https?:\/\//i.test(value))
      throw new Error('must be a valid URL, with a port of at most 65535');
    if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
      // It may contain a password.
      const given = value.includes('@') ? '' : `, not "${value}"`;
      throw new Error(`must be a URL that begins with http:// or https://${given}`);
    }
    if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '' || parsed.password !== '') {
      throw new Error('must be a URL without query, fragment and credentials');
    }
    return parsed.href.replace(/\/+$/, '');
  });
}
