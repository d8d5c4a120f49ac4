// What came out of an APK: the files of code that it carries or that a run left, and what each of them is. Knows no bytes.
import { useSearchParams } from 'react-router';
import type { ShownChild, ShownChildList } from '../../../../server/contract/catalogue/child.ts';
import { useChildren } from '../../../api/child-queries.ts';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { Icon, type IconName } from '../../../components/picture/icon.tsx';
import { VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import shared from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { severitiesTexts } from '../summary/texts.ts';
import { PayloadDetail } from './payload-detail.tsx';
import styles from './payloads.module.css';
import { payloadsTexts } from './texts.ts';

const icons: Record<ShownChild['kind'], IconName> = { apk: 'app', dex: 'file', elf: 'settings', script: 'rulesets' };

/** Each file behind the one that holds it. */
function inTreeOrder(children: readonly ShownChild[], root: string): ShownChild[] {
  const byParent = Map.groupBy(children, ({ parent }) => parent);
  const ordered = new Set<ShownChild>();
  const visit = (parent: string) => {
    for (const child of byParent.get(parent) ?? []) {
      if (ordered.has(child)) continue;
      ordered.add(child);
      visit(child.sha256);
    }
  };
  visit(root);
  return [...new Set([...ordered, ...children])];
}

const fileName = ({ ways, sha256 }: ShownChild) => (ways[0]?.path ?? sha256).replace(/^.*[/!]/, '') || sha256;

function PayloadRow({ child }: { child: ShownChild }) {
  return (
    <>
      <span className={styles.row} style={{ paddingInlineStart: (child.depth - 1) * 14 }}>
        <Icon name={icons[child.kind]} size={14} />
        <span className={styles.names}>
          <HostileText value={child.label ?? fileName(child)} max={80} isFixed />
          <small>
            {payloadsTexts.kinds[child.kind]} · {formatSize(child.size)}
          </small>
        </span>
      </span>
      <span>
        {child.severity !== null && child.severity !== 'info' && (
          <Chip tone={child.severity}>{severitiesTexts[child.severity]}</Chip>
        )}
        {child.status !== 'done' && (
          <Chip tone={child.status === 'failed' ? 'high' : 'quiet'}>{payloadsTexts.status[child.status]}</Chip>
        )}
      </span>
    </>
  );
}

function LeftOut({ list }: { list: ShownChildList }) {
  return (
    <details className={styles.leftOut}>
      <summary>{payloadsTexts.leftOut(list.left_out_count)}</summary>
      <ul>
        {list.left_out.map(({ path, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of archives may repeat, and the list never changes places
          <li key={index}>
            <HostileText value={path} max={200} mono isFixed />{' '}
            <span className={shared.faint}>{payloadsTexts.reasons[reason]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Component({ apk }: ApkPartProps) {
  const children = useChildren(apk.sha256);
  const [parameters, setParameters] = useSearchParams();
  if (!children.isSuccess) return <QueryState query={children} />;
  const list = children.data;
  const isLooking = list.status === 'waiting' || list.status === 'running';
  const rows = inTreeOrder(list.results, apk.sha256);
  const chosen = rows.find(({ sha256 }) => sha256 === parameters.get('child')) ?? rows[0];
  const state = isLooking ? payloadsTexts.looking : list.status === 'failed' ? payloadsTexts.failed : null;
  if (chosen === undefined) {
    return (
      <StatePanel icon="app" title={state ?? payloadsTexts.none}>
        {state === null && payloadsTexts.noneText}
        {list.left_out_count > 0 && <LeftOut list={list} />}
      </StatePanel>
    );
  }
  return (
    <>
      {state !== null && (
        <p className={styles.state} role="status">
          {state}
        </p>
      )}
      {list.left_out_count > 0 && <LeftOut list={list} />}
      <div className={`${shared.split} ${styles.split}`}>
        <div className={`${shared.side} ${styles.list}`}>
          <VirtualRows count={rows.length} rowHeight={44} label={payloadsTexts.list}>
            {(index) => (
              <button
                type="button"
                aria-current={rows[index] === chosen ? 'true' : undefined}
                onClick={() => setParameters({ child: rows[index]!.sha256 })}
              >
                <PayloadRow child={rows[index]!} />
              </button>
            )}
          </VirtualRows>
        </div>
        <PayloadDetail key={chosen.sha256} sha256={apk.sha256} child={chosen} />
      </div>
    </>
  );
}
