import { Autocomplete, Button, Group, Stack, Textarea } from '@mantine/core';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { usePipelines } from '../api/pipelines.js';
import { plural } from '../parts/format.js';
import { useUnsaved } from '../parts/actions/unsaved.js';
import { useUploadQueue } from '../uploads/uploads.js';
import { readUrls, toItems } from './draft.js';
import { FilePicker } from './file-picker.js';
import { PipelineNote } from './pipeline-note.js';

export function AddForm({ dropped }: { readonly dropped: readonly File[] }): ReactElement {
  const queue = useUploadQueue();
  const { data: pipelines } = usePipelines();
  const types = (pipelines ?? []).map(({ trigger_type }) => trigger_type).sort();
  const [picked, setPicked] = useState<readonly File[]>(dropped);
  const [known, setKnown] = useState(dropped);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);

  // More files were dropped while the dialog is open.
  if (known !== dropped) {
    setKnown(dropped);
    setPicked([...picked, ...dropped.slice(known.length)]);
  }

  useUnsaved(picked.length > 0 || text.trim() !== '');

  const { urls, bad } = readUrls(text);
  const usual = picked.length === 0 && urls.length > 0 ? 'webpage' : 'document';
  const type = chosen ?? (types.includes(usual) ? usual : (types[0] ?? ''));
  const count = picked.length + urls.length;
  const pipeline = pipelines?.find(({ trigger_type }) => trigger_type === type.trim());

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    queue.add(toItems(type.trim(), picked, urls));
    setPicked([]);
    setText(bad.join('\n'));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Autocomplete
          label="Type"
          description="Selects the pipeline with this trigger type."
          data={types}
          value={type}
          onChange={setChosen}
          maxLength={100}
          required
          withAsterisk={false}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        {pipelines !== undefined && <PipelineNote type={type.trim()} pipeline={pipeline} />}
        <FilePicker files={picked} onChange={setPicked} />
        <Textarea
          label="URLs, one per line"
          placeholder={'https://example.com/report.pdf\nhttps://example.com/about'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          error={
            bad.length > 0
              ? `${plural(bad.length, 'line')} not an http or https address: ${bad[0]?.slice(0, 60) ?? ''}`
              : null
          }
        />
        <Group justify="flex-end">
          <Button type="submit" disabled={count === 0 || type.trim() === ''}>
            {count === 0 ? 'Add' : `Add ${plural(count, 'resource')}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
