export default function PipelinesView(): React.ReactElement {
  return <h1>Pipelines</h1>;
}
