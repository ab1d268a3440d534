export default function OverviewView(): React.ReactElement {
  return <h1>Overview</h1>;
}
