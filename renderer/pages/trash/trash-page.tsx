// The trash: deleted APKs for the owner, deleted rulesets for their authors.
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { TrashItem } from '../../../server/contract/catalogue/trash.ts';
import { useDeleteForGood, useEmptyTrash, useRestore, useTrash } from '../../api/trash-queries.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { Page, ScrollRegion } from '../../components/page/page.tsx';
import { QueryState, StatePanel } from '../../components/page/state-panel.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { Table } from '../../components/table/table.tsx';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { trashTexts as words } from './texts.ts';

function Row({ item }: { item: TrashItem }) {
  const restore = useRestore();
  const remove = useDeleteForGood();
  const name = visibleString(item.name || item.sha256 || '', 80);
  return (
    <tr data-testid="trash-item">
      <td>
        {words.kinds[item.kind]} <HostileText value={item.name} max={120} isFixed />{' '}
        {item.sha256 !== null && <code title={item.sha256}>{item.sha256.slice(0, 12)}</code>}
      </td>
      <td className="tabular">{item.kind === 'apk' && formatSize(item.size)}</td>
      <td>
        <time dateTime={item.deleted_at}>{formatFull(item.deleted_at)}</time> {words.by(item.deleted_by)}
      </td>
      <td>
        <time dateTime={item.expires_at}>{formatFull(item.expires_at)}</time>
      </td>
      <td>
        <Group gap="xs" wrap="nowrap">
          <Button
            variant="default"
            loading={restore.isPending}
            aria-label={words.restoreLabel(name)}
            onClick={() =>
              restore.mutate(item.id, {
                onSuccess: () => void notifications.show({ message: words.restored(name) }),
              })
            }
          >
            {words.restore}
          </Button>
          <RowDeletion text={words.remove} label={words.removeLabel(name)} onClick={() => remove.mutate(item.id)} />
        </Group>
      </td>
    </tr>
  );
}

export function Component() {
  const trash = useTrash();
  const empty = useEmptyTrash();
  const [isAsking, { open, close }] = useDisclosure(false);
  const items = trash.data?.items ?? [];
  return (
    <Page
      title={words.title}
      bar={
        items.length > 0 && (
          <Button variant="subtle" color="red" onClick={open}>
            {words.empty}
          </Button>
        )
      }
    >
      <QueryState query={trash} />
      {trash.isSuccess && items.length === 0 && (
        <StatePanel icon="trash" title={words.none}>
          {words.noneText}
        </StatePanel>
      )}
      {items.length > 0 && (
        <ScrollRegion label={words.title}>
          <Table
            columns={[
              words.columns.what,
              words.columns.size,
              words.columns.deleted,
              words.columns.until,
              { label: words.restore, as: 'hidden' },
            ]}
          >
            {items.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </Table>
          <MoreButton list={trash} />
        </ScrollRegion>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.emptyNow}
        action={words.emptyNow}
        isPending={empty.isPending}
        onConfirm={() => empty.mutate(undefined, { onSuccess: close })}
      >
        <p>{words.emptyQuestion}</p>
      </ConfirmDialog>
    </Page>
  );
}
