export default function PluginsView(): React.ReactElement {
  return <h1>Plugins</h1>;
}
