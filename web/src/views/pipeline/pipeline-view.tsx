export default function PipelineView(_props: { readonly id: string }): React.ReactElement {
  return <h1>Pipeline</h1>;
}
