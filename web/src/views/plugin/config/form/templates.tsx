import { Button, Input } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type {
  ArrayFieldTitleProps,
  FieldErrorProps,
  IconButtonProps,
  ObjectFieldTemplateProps,
  TitleFieldProps,
} from '@rjsf/utils';
import type { ReactElement } from 'react';
import classes from '../config-editor.module.css';

/** The members of an object: a group with its name, except at the top level. */
export function Members({
  title,
  description,
  properties,
  fieldPathId,
}: ObjectFieldTemplateProps): ReactElement {
  const fields = (
    <div className={classes.fields}>
      {properties.map(({ name, content }) => (
        <div key={name}>{content}</div>
      ))}
    </div>
  );
  if (fieldPathId.path.length === 0) return fields;
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      {description !== undefined && description !== '' && <p className="dim small">{description}</p>}
      {fields}
    </fieldset>
  );
}

/** The name of a list as its legend. Headings are reserved for the page. */
export const ListTitle = ({ title }: ArrayFieldTitleProps): ReactElement => <>{title}</>;

export const Name = ({ title, id }: TitleFieldProps): ReactElement => <span id={id}>{title}</span>;

export const AddButton = ({ id, onClick, disabled }: IconButtonProps): ReactElement => (
  <Button
    id={id}
    variant="light"
    size="compact-sm"
    leftSection={<IconPlus size={14} aria-hidden />}
    disabled={disabled}
    onClick={onClick}
  >
    Add
  </Button>
);

/** The first error of a list, a group or a choice between schemas. Inputs show their own. */
export function GroupErrors({ errors = [], schema }: FieldErrorProps): ReactElement | null {
  const isGroup = schema.type === 'object' || schema.type === 'array' || schema.anyOf !== undefined;
  return isGroup && errors.length > 0 ? <Input.Error>{errors[0]}</Input.Error> : null;
}
