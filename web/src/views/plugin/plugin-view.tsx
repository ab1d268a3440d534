export default function PluginView(_props: { readonly id: string }): React.ReactElement {
  return <h1>Plugin</h1>;
}
