// What the program is made of: its version, the packages in it with their licences, and the papers about them to keep.
import type { About } from '../../../server/contract/workstation/about.ts';
import { askBytes } from '../../api/client.ts';
import { useAbout } from '../../api/people-queries.ts';
import { SaveButton } from '../../components/file/save-button.tsx';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { FilterField } from '../../components/table/filter-field.tsx';
import { Table } from '../../components/table/table.tsx';
import { useFilter } from '../../components/table/use-filter.ts';
import { aboutTexts as words } from './texts.ts';

type Package = About['packages'][number];
const textOf = ({ name, version, licence }: Package) => `${name} ${version} ${licence ?? ''}`;
const noPackages: readonly Package[] = [];

/** A paper about the packages, to be kept. */
const savePaper = (label: string, paper: 'GET /about/notices/' | 'GET /about/bill_of_materials/', fileName: string) => (
  <SaveButton label={label} fileName={fileName} fetchParts={async () => [(await askBytes(paper)).bytes]} />
);

export function Component() {
  const about = useAbout();
  const { filter, setFilter, shown } = useFilter(about.data?.packages ?? noPackages, textOf);
  return (
    <Page
      title={words.title}
      bar={<FilterField value={filter} onChange={setFilter} label={words.filter} placeholder={words.filter} />}
      actions={
        <>
          {savePaper(words.notices, 'GET /about/notices/', 'third-party-notices.txt')}
          {savePaper(words.bill, 'GET /about/bill_of_materials/', 'apk-workstation.cdx.json')}
        </>
      }
    >
      <QueryState query={about} />
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
