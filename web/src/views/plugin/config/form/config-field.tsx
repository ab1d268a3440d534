import { getDefaultRegistry } from '@rjsf/core';
import type { FieldProps, RJSFSchema } from '@rjsf/utils';
import type { ReactElement } from 'react';
import { isObject } from '@knowledge-warehouse/plugin/protocol';
import { fieldKeyword } from '../form-schema.js';
import type { ConfigFormContext } from './form-context.js';
import { SecretField } from './secret-field.js';
import { JsonField, LinesField } from './typed-fields.js';

const { SchemaField } = getDefaultRegistry().fields;

/** The field for a place of a config. A value that its control cannot show appears as JSON. */
export function ConfigField(props: FieldProps): ReactElement {
  const formData: unknown = props.formData;
  const { schema, fieldPathId, registry } = props;
  const { isSecretAt, isKept } = registry.formContext as ConfigFormContext;
  const { path } = fieldPathId;
  if (path.length > 0 && (isKept(formData) || isSecretAt(path))) return <SecretField {...props} />;
  if (schema[fieldKeyword] === 'json' || !holds(schema, formData)) return <JsonField {...props} />;
  if (schema[fieldKeyword] === 'lines') return <LinesField {...props} />;
  return SchemaField === undefined ? <JsonField {...props} /> : <SchemaField {...props} />;
}

function holds(schema: RJSFSchema, value: unknown): boolean {
  if (value === undefined || schema.anyOf !== undefined) return true;
  if (schema.enum !== undefined) return schema.enum.includes(value as string);
  const types = [schema.type].flat();
  // A new item of a list is null until the user enters something.
  if (value === null) return types.includes('null');
  switch (types[0]) {
    case 'array':
      return Array.isArray(value) && (schema[fieldKeyword] !== 'lines' || value.every(isLine));
    case 'object':
      return isObject(value);
    case 'string':
      return isText(value);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'number';
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
/** Whether a field with one text per line can hold the text unchanged. */
const isLine = (value: unknown): boolean =>
  isText(value) && value !== '' && value === value.trim() && !/[\r\n]/.test(value);
