// What the program is made of: its version, the packages in it with their licences, and the papers about them to keep.
import { Button } from '@mantine/core';
import type { About } from '../../../server/contract/workstation/about.ts';
import { askBytes } from '../../api/client.ts';
import { useAbout } from '../../api/people-queries.ts';
import { saveFile } from '../../components/file/save-file.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { FilterField } from '../../components/table/filter-field.tsx';
import { Table } from '../../components/table/table.tsx';
import { useFilter } from '../../components/table/use-filter.ts';
import { aboutTexts as words } from './texts.ts';

type Package = About['packages'][number];
const textOf = ({ name, version, licence }: Package) => `${name} ${version} ${licence ?? ''}`;
const noPackages: readonly Package[] = [];

type Paper = 'GET /about/notices/' | 'GET /about/bill_of_materials/';

async function save(paper: Paper, name: string): Promise<void> {
  try {
    const { bytes, type } = await askBytes(paper);
    saveFile([bytes], name, type);
  } catch (error) {
    tellError(error as Error);
  }
}

function SavePaper({ label, paper, name }: { label: string; paper: Paper; name: string }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon name="download" size={14} />}
      onClick={() => void save(paper, name)}
    >
      {label}
    </Button>
  );
}

export function Component() {
  const about = useAbout();
  const { filter, setFilter, shown } = useFilter(about.data?.packages ?? noPackages, textOf);
  return (
    <Page
      title={words.title}
      bar={<FilterField value={filter} onChange={setFilter} label={words.filter} placeholder={words.filter} />}
      actions={
        <>
          <SavePaper label={words.notices} paper="GET /about/notices/" name="third-party-notices.txt" />
          <SavePaper label={words.bill} paper="GET /about/bill_of_materials/" name="apk-workstation.cdx.json" />
        </>
      }
    >
      {about.isPending && <LoadingPanel />}
      {about.isError && <ErrorPanel error={about.error} onRetry={() => void about.refetch()} />}
      {about.isSuccess && (
        <ScrollRegion label={words.title}>
          <h2>{words.version(about.data.version)}</h2>
          <p>{words.made}</p>
          {shown.length === 0 ? (
            <StatePanel icon="search" title={words.noneMatch}>
              {words.noneMatchText}
            </StatePanel>
          ) : (
            <Table columns={[words.packageName, words.packageVersion, words.licence]}>
              {shown.map(({ name, version, licence }) => (
                <tr key={`${name} ${version}`} data-testid="shipped-package">
                  <td>{name}</td>
                  <td className="tabular">{version}</td>
                  <td>{licence ?? words.noLicence}</td>
                </tr>
              ))}
            </Table>
          )}
        </ScrollRegion>
      )}
    </Page>
  );
}
