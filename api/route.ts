import type { Context } from 'koa';
import type { Readable } from 'node:stream';
import type { ErrorCode, ServiceError } from '../core/errors.js';
import type { Db } from '../storage/database/connection.js';
import type { ApiDeps } from './deps.js';
import type { IfMatch } from './request/preconditions.js';
import type { KeyScope, Principal } from './auth/principal.js';
import type { BodyFormName } from './json-thread/body-forms.js';
import type { ParamSchema } from './schemas/param.js';
import type { Schema } from './schemas/typed.js';
import type { ReceivedUpload } from './uploads/receive-upload.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call a route: keys with a scope, anyone (`open`), or holders of a callback token, which `admit`
 * checks.
 */
export type RouteScope = KeyScope | 'open' | 'token';

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<`/${Tail}`>
    : Rest
  : never;

export type ParamsOf<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

/** What is known of a request once its caller is, before its body is read. */
export interface CallerInput<Path extends string, Scope extends RouteScope> {
  readonly params: ParamsOf<Path>;
  /** Null on routes that ask for no API key. */
  readonly principal: Scope extends KeyScope ? Principal : null;
  readonly koa: Context;
  readonly deps: ApiDeps;
}

/** What the audit says of a change that neither the path nor the caller's key tells. */
export interface ChangeNote {
  /** What was done, on a route that does several things: the operationId of the route that does this alone. */
  readonly action?: string;
  /** What was changed: its type, where the path is about another one, and the id of what was created. */
  readonly object?: { readonly type?: string; readonly id?: string };
  /** Who made the change, on routes that ask for no key. */
  readonly key?: { readonly id: string; readonly name: string };
}

/**
 * Makes a change in one transaction, together with its audit entry, for routes that build the answer
 * afterwards. Work that resolves to null has changed nothing.
 */
export type Change = <T>(
  work: (trx: Db) => Promise<T>,
  about?: (made: NonNullable<T>) => ChangeNote,
) => Promise<T>;

/**
 * Makes a change and its answer in one transaction, which writes its entry of the audit. On routes that are `idempotent` the answer is kept in it too, so
 * that neither is there without the other.
 */
export type Transact = (work: (trx: Db) => Promise<Reply>) => Promise<Reply>;

/** What a handler works with: all of it is checked. */
export interface RouteInput<
  Path extends string,
  Scope extends RouteScope,
  Query,
  Body,
  Admitted,
> extends CallerInput<Path, Scope> {
  readonly query: Query;
  readonly body: Body;
  /** The file of a multipart request, already in the object store; null for every other request. */
  readonly upload: ReceivedUpload | null;
  /** What `admit` returned. */
  readonly admitted: Admitted;
  /** To be asked under the lock of what is changed, on routes that are `tagged`. */
  readonly ifMatch: IfMatch;
  readonly transact: Transact;
  readonly change: Change;
}

/** A handler's answer. Objects are sent as JSON; streams, buffers and strings need a `type`. */
export interface Reply {
  readonly status: number;
  readonly body?: object | Readable | Buffer | string;
  /** The media type, where it is not JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The outbox message that the change left, which is sent now that it is committed. */
  readonly message?: number | null;
  /** Nothing was changed, so the audit gets no entry. */
  readonly unchanged?: boolean;
  /** What the audit says of the change besides; the id of what was created is taken from the body. */
  readonly note?: ChangeNote;
}

/** What bodies look like: what an example shows → the body. They stand in the OpenAPI document and are tried by its tests. */
export type Examples = Readonly<Record<string, unknown>>;

export interface ResponseSpec {
  readonly description: string;
  /** Of the JSON body, or of one event of a stream; left out for other bodies and for none. */
  readonly schema?: object;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  /** Other media types that the same content is available in, each with its examples. */
  readonly alternatives?: Readonly<Record<string, Examples>>;
  /** Of the body, where those of the schema do not fit or there is no schema. */
  readonly examples?: Examples;
  /** Name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a route takes a file beside its JSON body. */
export interface MultipartSpec {
  /** Of the form, for the OpenAPI document. */
  readonly schema: object;
  /** A new key in the object store for the file. */
  readonly keyFor: () => string;
  /** The fields as the JSON body they stand for, which is then checked like one. */
  toBody(fields: Readonly<Record<string, string>>): unknown;
}

/** What a route says of itself, whatever its handler works with. */
interface RouteDeclaration<Path extends string, Scope extends RouteScope> {
  readonly method: Method;
  /** Below /api/v1, with parameters as `:name`. */
  readonly path: Path;
  /** The path begins at the root instead. */
  readonly atRoot?: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly scope: Scope;
  /** Keys with the scope `plugin:{id}` that may call it too: those of the plugin in `:id`, or any. */
  readonly pluginKeys?: 'own' | 'any';
  readonly params?: { readonly [Name in ParamNames<Path>]: ParamSchema };
  /** The path names what the caller makes: a parameter of another form is VALIDATION_FAILED then. */
  readonly choosesId?: boolean;
  /** Takes an Idempotency-Key: the handler makes its change, and its answer in JSON, by `transact`. */
  readonly idempotent?: boolean;
  /**
   * What `transact` and `change` do is an entry of the audit, except on routes of the scope `token`. A route that is no
   * GET and asks for more than `read` has to use one of them. False: neither, because it only carries on work.
   */
  readonly audited?: boolean;
  /**
   * Its answers carry an ETag. GET honours If-None-Match; the handlers of PATCH, PUT and DELETE ask `ifMatch` before
   * they change anything.
   */
  readonly tagged?: boolean;
  /** It answers with Server-Sent Events and takes a Last-Event-ID. */
  readonly eventStream?: boolean;
  /** The body may be left out: `{}` then stands for it. */
  readonly bodyOptional?: boolean;
  /** Bytes; 1 MiB unless given. */
  readonly bodyLimit?: number;
  /** Of the JSON body, where those of its schema do not show enough. */
  readonly bodyExamples?: Examples;
  readonly multipart?: MultipartSpec;
  /** The handler reads the request's body as it comes: media type → what it is, for the OpenAPI document. */
  readonly rawBody?: Readonly<Record<string, { readonly schema: object; readonly examples: Examples }>>;
  /** How the JSON body is read, where parts of it may be of any form; the handler gets them as that leaves them. */
  readonly bodyForm?: BodyFormName;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** The body of its errors, where another protocol than ours defines it; the envelope unless given. */
  readonly errorBody?: (error: ServiceError) => object;
  /** The error codes that do not follow from the rest of the route. */
  readonly errors?: readonly ErrorCode[];
}

/** One operation: routing, authentication, validation and its entry in the OpenAPI document derive from it. */
export interface RouteSpec<
  Path extends string,
  Scope extends RouteScope,
  Query,
  Body,
  Admitted,
> extends RouteDeclaration<Path, Scope> {
  /** An object schema; parameters of type integer, boolean and array (comma-separated) are converted. */
  readonly query?: Schema<Query>;
  readonly body?: Schema<Body>;
  /**
   * Called once the caller is known and before the body is read; checks what comes before 413 and 400 and may return
   * what the handler needs of it. Parameters are not checked yet.
   */
  admit?(input: CallerInput<Path, Scope>): Promise<Admitted>;
  handler(input: RouteInput<Path, Scope, Query, Body, Admitted>): Promise<Reply>;
}

/** What the handler of any route is called with. */
export interface AnyInput {
  readonly params: Readonly<Record<string, string>>;
  readonly principal: Principal | null;
  readonly koa: Context;
  readonly deps: ApiDeps;
  readonly query: unknown;
  readonly body: unknown;
  readonly upload: ReceivedUpload | null;
  readonly admitted: unknown;
  readonly ifMatch: IfMatch;
  readonly transact: Transact;
  readonly change: Change;
}

/** A route of any shape, as routing, validation and the OpenAPI document read it. */
export interface Route extends Omit<RouteDeclaration<string, RouteScope>, 'params'> {
  readonly params?: Readonly<Record<string, ParamSchema>>;
  readonly query?: object;
  readonly body?: object;
  admit?(input: Pick<AnyInput, 'params' | 'principal' | 'koa' | 'deps'>): Promise<unknown>;
  handler(input: AnyInput): Promise<Reply>;
}

/** Declares a route; the types of the handler's input follow from its path, scope and schemas. */
export function defineRoute<
  const Path extends string,
  const Scope extends RouteScope,
  Query = undefined,
  Body = undefined,
  Admitted = undefined,
>(route: RouteSpec<Path, Scope, Query, Body, Admitted>): Route {
  return route;
}

/** The path of a route from the root, with parameters as `:name`. */
export function fullPath(route: Pick<Route, 'path' | 'atRoot'>): string {
  return route.atRoot === true ? route.path : `/api/v1${route.path}`;
}
