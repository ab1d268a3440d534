export default function ResourceView(_props: { readonly id: string }): React.ReactElement {
  return <h1>Resource</h1>;
}
