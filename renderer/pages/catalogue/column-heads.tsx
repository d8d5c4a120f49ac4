// The heads of the catalogue's columns, which sort, and the menu of the columns that are shown. Knows no row.
import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { CatalogueList } from '../../api/queries.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { searchAddress } from '../../components/place/catalogue-address.ts';
import styles from './catalogue.module.css';
import { type ColumnName, columnNames, columns, useCatalogueView } from './columns.tsx';
import { columnsTexts } from './texts.ts';

/** The name of an app stands in every row. */
const choosable = columnNames.filter((name) => name !== 'app');

export function ColumnMenu() {
  const { chosen, toggle } = useCatalogueView();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={columnsTexts.choose} title={columnsTexts.choose}>
          <Icon name="settings" size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choosable.map((name) => (
          <Menu.Item
            key={name}
            leftSection={chosen.includes(name) ? <Icon name="check" size={14} /> : <span className={styles.noCheck} />}
            onClick={() => toggle(name)}
          >
            {columnsTexts.labels[name]}
            {chosen.includes(name) && <span className="visually-hidden"> {columnsTexts.shown}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The head of a column; it sorts where the server can. */
function ColumnHead({ name, list }: { name: ColumnName; list: CatalogueList }) {
  const navigate = useNavigate();
  const { sort, isNumber } = columns[name];
  const label = columnsTexts.labels[name];
  const ordering = list.ordering === '' ? '-created_at' : list.ordering;
  const isSorted = sort !== undefined && ordering.replace(/^-/, '') === sort;
  const isFalling = ordering.startsWith('-');
  const className = isNumber === true ? styles.numberHead : undefined;
  if (sort === undefined) return <span className={className}>{label}</span>;
  // Numbers and times begin with the largest, names with the first letter.
  const next = isSorted
    ? `${isFalling ? '' : '-'}${sort}`
    : `${isNumber === true || sort.startsWith('is_') ? '-' : ''}${sort}`;
  return (
    <button
      type="button"
      className={`${styles.sort} ${className ?? ''}`}
      aria-label={columnsTexts.sort(label, isSorted, isFalling)}
      onClick={() => void navigate(searchAddress(list.search, next === '-created_at' ? '' : next), { replace: true })}
    >
      {label}
      {isSorted && <span aria-hidden="true">{isFalling ? ' ↓' : ' ↑'}</span>}
    </button>
  );
}

export function ColumnHeads({ list }: { list: CatalogueList }) {
  const { chosen } = useCatalogueView();
  return (
    <div className={`${styles.line} ${styles.head}`}>
      <span />
      <span className={styles.grid}>
        <span />
        {chosen.map((name) => (
          <ColumnHead key={name} name={name} list={list} />
        ))}
      </span>
    </div>
  );
}
