// The packages of the feed, newest first, to download. The choice stands in the address.
import { Button } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useFeed } from '../../api/people-queries.ts';
import { useAccount } from '../../api/queries.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { Segments } from '../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { Table } from '../../components/table/table.tsx';
import { formatFull } from '../../components/text/format.ts';
import { feedsTexts as words } from './texts.ts';

type Kind = keyof typeof words.kinds;
type Interval = keyof typeof words.intervals;

export function Component() {
  const [parameters, setParameters] = useSearchParams();
  const given = { kind: parameters.get('kind') ?? '', interval: parameters.get('interval') ?? '' };
  const kind = (given.kind in words.kinds ? given.kind : 'apks') as Kind;
  const interval = (given.interval in words.intervals ? given.interval : '1-hour') as Interval;
  const account = useAccount();
  const feed = useFeed({ feed_type: kind, package_type: interval });
  const rows = feed.data?.items ?? [];
  const isForbidden = account.data?.can_get_apks_feed === false;
  return (
    <Page
      title={words.title}
      bar={
        <>
          <Segments
            label={words.kind}
            value={kind}
            onChange={(value) => setParameters({ kind: value, interval }, { replace: true })}
            labels={words.kinds}
          />
          <Segments
            label={words.interval}
            value={interval}
            onChange={(value) => setParameters({ kind, interval: value }, { replace: true })}
            labels={words.intervals}
          />
        </>
      }
    >
      {isForbidden && (
        <StatePanel icon="key" title={words.title}>
          {words.forbidden}
        </StatePanel>
      )}
      {!isForbidden && <QueryState query={feed} />}
      {feed.isSuccess && rows.length === 0 && (
        <StatePanel icon="download" title={words.none}>
          {words.noneText}
        </StatePanel>
      )}
      {rows.length > 0 && (
        <ScrollRegion label={words.title}>
          <Table columns={[words.begins, words.packageName, { label: words.download, as: 'hidden' }]}>
            {rows.map((one) => (
              <tr key={one.id} data-testid="package">
                <td className="tabular">{formatFull(one.package_datetime)}</td>
                <td>
                  <code>{one.package}</code>
                </td>
                <td>
                  <Button
                    component="a"
                    href={one.download_url}
                    variant="subtle"
                    leftSection={<Icon name="download" size={14} />}
                    aria-label={words.downloadLabel(one.package)}
                  >
                    {words.download}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
          <MoreButton list={feed} />
        </ScrollRegion>
      )}
    </Page>
  );
}
