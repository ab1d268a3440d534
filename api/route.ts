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

/** Who may call a route: keys with a scope, anyone (`open`), or holders of a callback token, which `admit` checks. */
export type RouteScope = KeyScope | 'open' | 'token';

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamNames<`/${Tail}`>
    : Rest
  : never;

export type ParamsOf<Path extends string> = { readonly [Name in ParamNames<Path>]: string };

/** The input that is available after authentication, before the body is read. */
export interface CallerInput<Path extends string, Scope extends RouteScope> {
  readonly params: ParamsOf<Path>;
  /** Null on routes that need no API key. */
  readonly principal: Scope extends KeyScope ? Principal : null;
  readonly koa: Context;
  readonly deps: ApiDeps;
}

/** Content of the audit entry that does not follow from the path or the caller's key. */
export interface ChangeNote {
  /** The action, on a route with several actions: the operationId of the route that does only this. */
  readonly action?: string;
  /** The changed object: its type if it differs from the path's, and the id of a created object. */
  readonly object?: { readonly type?: string; readonly id?: string };
  /** The key that made the change, on routes that need no key. */
  readonly key?: { readonly id: string; readonly name: string };
}

/**
 * Makes a change in one transaction, together with its audit entry, for routes that create their reply afterwards. Work
 * that resolves to null has changed nothing.
 */
export type Change = <T>(
  work: (trx: Db) => Promise<T>,
  about?: (made: NonNullable<T>) => ChangeNote,
) => Promise<T>;

/**
 * Makes a change and its reply in one transaction, together with its audit entry. On `idempotent` routes the
 * transaction also stores the response, so that neither exists without the other.
 */
export type Transact = (work: (trx: Db) => Promise<Reply>) => Promise<Reply>;

/** The validated input of a handler. */
export interface RouteInput<
  Path extends string,
  Scope extends RouteScope,
  Query,
  Body,
  Admitted,
> extends CallerInput<Path, Scope> {
  readonly query: Query;
  readonly body: Body;
  /** The file of a multipart request, already in the object store; null for other requests. */
  readonly upload: ReceivedUpload | null;
  /** What `admit` returned. */
  readonly admitted: Admitted;
  /** Checks If-Match under the lock of the changed object, on `tagged` routes. */
  readonly ifMatch: IfMatch;
  readonly transact: Transact;
  readonly change: Change;
}

/** A handler's response. Objects are sent as JSON; streams, buffers and strings need a `type`. */
export interface Reply {
  readonly status: number;
  readonly body?: object | Readable | Buffer | string;
  /** The media type if it is not JSON. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the change's outbox message, to be sent now that it is committed. */
  readonly message?: number | null;
  /** Nothing was changed, so the audit gets no entry. */
  readonly unchanged?: boolean;
  /** More content for the audit entry. The id of a created object is taken from the body. */
  readonly note?: ChangeNote;
}

/** Example bodies by description. They appear in the OpenAPI document, whose tests check them. */
export type Examples = Readonly<Record<string, unknown>>;

export interface ResponseSpec {
  readonly description: string;
  /** The schema of the JSON body, or of one event of a stream; omitted for other bodies or without one. */
  readonly schema?: object;
  /** The media type of a body that is not JSON. */
  readonly mediaType?: string;
  /** Other media types that the same content is available in, each with its examples. */
  readonly alternatives?: Readonly<Record<string, Examples>>;
  /** Examples of the body if those of the schema do not fit or there is no schema. */
  readonly examples?: Examples;
  /** Name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a route accepts a file in addition to its JSON body. */
export interface MultipartSpec {
  /** The schema of the form, for the OpenAPI document. */
  readonly schema: object;
  /** Converts the form fields to the JSON body that is then validated. */
  toBody(fields: Readonly<Record<string, string>>): unknown;
}

/** The properties of a route that do not depend on its handler's types. */
interface RouteDeclaration<Path extends string, Scope extends RouteScope> {
  readonly method: Method;
  /** The path below /api/v1, with parameters as `:name`. */
  readonly path: Path;
  /** The path is relative to the root instead. */
  readonly atRoot?: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly scope: Scope;
  /** Also allows keys with the scope `plugin:{id}`: those of the plugin in `:id`, or any. */
  readonly pluginKeys?: 'own' | 'any';
  /** While the database is unavailable, the route answers keys that it answered within the last hour. */
  readonly withoutDatabase?: boolean;
  readonly params?: { readonly [Name in ParamNames<Path>]: ParamSchema };
  /** The path names a new object chosen by the caller, so an invalid parameter is VALIDATION_FAILED. */
  readonly choosesId?: boolean;
  /** Accepts an Idempotency-Key. The handler makes its change and its JSON response with `transact`. */
  readonly idempotent?: boolean;
  /**
   * `transact` and `change` write audit entries, except on routes with the scope `token`. Routes other than GET that
   * need more than `read` must use one of them. False turns off both rules, for routes that only continue existing
   * work.
   */
  readonly audited?: boolean;
  /**
   * Responses carry an ETag. GET supports If-None-Match; handlers of PATCH, PUT and DELETE check `ifMatch` before they
   * change anything.
   */
  readonly tagged?: boolean;
  /** Responds with Server-Sent Events and accepts a Last-Event-ID. */
  readonly eventStream?: boolean;
  /** The body may be omitted, which means `{}`. */
  readonly bodyOptional?: boolean;
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Examples of the JSON body if those of its schema do not show enough. */
  readonly bodyExamples?: Examples;
  readonly multipart?: MultipartSpec;
  /** The handler reads the raw body itself: media type → schema and examples for the OpenAPI document. */
  readonly rawBody?: Readonly<Record<string, { readonly schema: object; readonly examples: Examples }>>;
  /** How to read a JSON body with arbitrary parts. The handler gets the parts in the resulting form. */
  readonly bodyForm?: BodyFormName;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  /** Renders errors for another protocol; default: the envelope. */
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
  /** An object schema. Parameters of type integer, boolean and array (comma-separated) are converted. */
  readonly query?: Schema<Query>;
  readonly body?: Schema<Body>;
  /**
   * Called after authentication and before the body is read. Makes the checks that precede 413 and 400, and may return
   * data for the handler. Parameters are not validated yet.
   */
  admit?(input: CallerInput<Path, Scope>): Promise<Admitted>;
  handler(input: RouteInput<Path, Scope, Query, Body, Admitted>): Promise<Reply>;
}

/** The input of any route's handler. */
interface AnyInput extends RouteInput<string, RouteScope, unknown, unknown, unknown> {
  readonly params: Readonly<Record<string, string>>;
}

/** A route of any shape, as routing, validation and the OpenAPI document read it. */
export interface Route extends Omit<RouteDeclaration<string, RouteScope>, 'params'> {
  readonly params?: Readonly<Record<string, ParamSchema>>;
  readonly query?: object;
  readonly body?: object;
  admit?(input: Pick<AnyInput, 'params' | 'principal' | 'koa' | 'deps'>): Promise<unknown>;
  handler(input: AnyInput): Promise<Reply>;
}

/** Declares a route. The types of the handler's input follow from its path, scope and schemas. */
export function defineRoute<
  const Path extends string,
  const Scope extends RouteScope,
  Query = undefined,
  Body = undefined,
  Admitted = undefined,
>(route: RouteSpec<Path, Scope, Query, Body, Admitted>): Route {
  return route;
}

/** Returns the path of a route from the root, with parameters as `:name`. */
export function fullPath(route: Pick<Route, 'path' | 'atRoot'>): string {
  return route.atRoot === true ? route.path : `/api/v1${route.path}`;
}
