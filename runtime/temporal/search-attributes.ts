import { status } from '@grpc/grpc-js';
import { isGrpcServiceError, type Connection } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  TypedSearchAttributes,
  type SearchAttributePair,
} from '@temporalio/common';
import proto from '@temporalio/proto';

import { clip } from '@knowledge-warehouse/plugin/protocol';
import { messageOf } from '../../core/errors.js';
import { jsonBytes } from './clip.js';
import { causesOf, isUnavailable } from './errors.js';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
  proto.temporal.api.enums.v1.IndexedValueType;

const indexedTypes = {
  [SearchAttributeType.KEYWORD]: INDEXED_VALUE_TYPE_KEYWORD,
  [SearchAttributeType.KEYWORD_LIST]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const;

const resourceIdKey = defineSearchAttributeKey('KwResourceId', SearchAttributeType.KEYWORD);
const resourceNameKey = defineSearchAttributeKey('KwResourceName', SearchAttributeType.KEYWORD);
const resourceTypeKey = defineSearchAttributeKey('KwResourceType', SearchAttributeType.KEYWORD);
const pluginKey = defineSearchAttributeKey('KwPlugin', SearchAttributeType.KEYWORD_LIST);

/** The search attributes for finding runs in the Web UI. */
const keys = [resourceIdKey, resourceNameKey, resourceTypeKey, pluginKey];

const longestKeyword = 255;
/** Maximum size of an attribute as JSON. Temporal's default limit is 2,048 bytes; it rejects a start beyond it. */
const largestValue = 2_000;

/** The search attributes of a run: its resource, and as many of its plugins as fit, in the order of the steps. */
export function runAttributes(run: {
  readonly resourceId: string;
  readonly name: string;
  readonly type: string;
  readonly plugins: readonly string[];
}): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: resourceIdKey, value: run.resourceId },
    { key: resourceNameKey, value: clip(run.name, longestKeyword) },
    { key: resourceTypeKey, value: clip(run.type, longestKeyword) },
    { key: pluginKey, value: firstThatFit(run.plugins) },
  ];
  return new TypedSearchAttributes(pairs);
}

export function cleanUpAttributes(resourceId: string): TypedSearchAttributes {
  return new TypedSearchAttributes([{ key: resourceIdKey, value: resourceId }]);
}

/** Our search attributes that the namespace does not have. Rejects if listing them is not permitted. */
export async function missingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  return (await missingKeys(connection, namespace)).map(({ name }) => name);
}

/** Limits the time of a call that an operator waits for. */
const soon = <T>(connection: Connection, work: () => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + 10_000, work);

async function missingKeys(connection: Connection, namespace: string): Promise<typeof keys> {
  const { customAttributes } = await soon(connection, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return keys.filter(({ name }) => !Object.hasOwn(customAttributes, name));
}

/**
 * Registers our search attributes with the namespace, unless it already has them. Returns a warning to print if that
 * fails (no permission, too many attributes): runs then start without them. Rejects if Temporal does not answer.
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<string | null> {
  let missing = keys;
  try {
    missing = await missingKeys(connection, namespace);
    if (missing.length > 0) {
      const searchAttributes = Object.fromEntries(
        missing.map(({ name, type }) => [name, indexedTypes[type]]),
      );
      await soon(connection, () =>
        connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
      );
    }
    return null;
  } catch (error) {
    // Another process was faster.
    if (isGrpcServiceError(error) && error.code === status.ALREADY_EXISTS) return null;
    if (isUnavailable(error)) throw error;
    return `The search attributes ${missing.map(({ name }) => name).join(', ')} could not be registered: ${messageOf(error)}`;
  }
}

/** Why a namespace rejected a search attribute: unknown to it, or not with this type of value. Null if it did not. */
export function attributeRefusal(error: unknown): string | null {
  const messages = causesOf(error).map(messageOf);
  return messages.find((message) => /search attribute/i.test(message)) ?? null;
}

function firstThatFit(values: readonly string[]): string[] {
  const fit = [...values];
  while (jsonBytes(fit) > largestValue) fit.pop();
  return fit;
}
