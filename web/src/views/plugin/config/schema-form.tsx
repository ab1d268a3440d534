import { Input, MantineThemeProvider } from '@mantine/core';
import '@mantine/core/styles/Fieldset.layer.css';
import { withTheme } from '@rjsf/core';
import templates from '@rjsf/mantine/lib/templates/index.js';
import type { RJSFSchema } from '@rjsf/utils';
import { useMemo, type ReactElement } from 'react';
import type { JsonObject } from '../../../api/client.js';
import type { ConfigWarning } from '@knowledge-warehouse/client';
import { isObject } from '@knowledge-warehouse/plugin/protocol';
import type { FormNode } from './form-schema.js';
import { ChoiceInput } from './form/choice-input.js';
import { ConfigField } from './form/config-field.js';
import type { ConfigFormContext } from './form/form-context.js';
import { AddButton, GroupErrors, ListTitle, Members, Name } from './form/templates.js';
import { LineInput } from './form/text-input.js';
import { createValidator, toErrorSchema, toPath } from './validator.js';
import { withoutUnset } from './without-unset.js';

interface SchemaFormProps {
  readonly schema: FormNode;
  readonly config: JsonObject;
  readonly context: ConfigFormContext;
  /** The service's findings when the config was saved. */
  readonly warnings: readonly ConfigWarning[];
  readonly onChange: (config: JsonObject) => void;
}

const Form = withTheme({
  templates: {
    ...templates,
    BaseInputTemplate: LineInput,
    FieldErrorTemplate: GroupErrors,
    ObjectFieldTemplate: Members,
    ArrayFieldTitleTemplate: ListTitle,
    TitleFieldTemplate: Name,
    ButtonTemplates: { ...templates.ButtonTemplates, AddButton },
  },
  widgets: { SelectWidget: ChoiceInput, CheckboxWidget: ChoiceInput },
  fields: { SchemaField: ConfigField },
});

const theme = {
  components: {
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
};

/** Unset values stay out of the config: the form shows the plugin's defaults without writing them. */
const noDefaults = {
  emptyObjectFields: 'skipDefaults',
  arrayMinItems: { populate: 'never' },
  allOf: 'skipDefaults',
  constAsDefaults: 'never',
} as const;

/** The config as a form that react-jsonschema-form creates from its schema. */
export default function SchemaForm(props: SchemaFormProps): ReactElement {
  const { schema, config, context, warnings, onChange } = props;
  const validator = useMemo(
    () => createValidator((path, value) => context.isKept(value) && context.isSecretAt(path)),
    [context],
  );
  const extraErrors = useMemo(
    () => toErrorSchema(warnings.map(({ path, message }) => ({ path: toPath(path), message }))),
    [warnings],
  );
  return (
    <MantineThemeProvider theme={theme} inherit>
      <Form
        tagName="div"
        idPrefix="config"
        idSeparator="/"
        schema={schema as RJSFSchema}
        formData={config}
        formContext={context}
        validator={validator}
        liveValidate="onChange"
        extraErrors={extraErrors}
        showErrorList={false}
        experimental_defaultFormStateBehavior={noDefaults}
        onChange={({ formData }) => {
          const next = withoutUnset(formData, config, [schema]);
          onChange(isObject(next) ? next : {});
        }}
      >
        <></>
      </Form>
    </MantineThemeProvider>
  );
}
