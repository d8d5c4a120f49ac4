// A table of records with named columns. Knows no record.
import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A number stands at the right; a hidden name is for screen readers alone, where buttons speak for themselves. */
export type Column = string | { label: string; as: 'number' | 'hidden' };

function Head({ column }: { column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  if (column.as === 'number') {
    return (
      <th scope="col" className={styles.number}>
        {column.label}
      </th>
    );
  }
  return (
    <th scope="col">
      <span className="visually-hidden">{column.label}</span>
    </th>
  );
}

/** @param isHidden its names are for screen readers alone */
export function TableHead({ columns, isHidden }: { columns: readonly Column[]; isHidden?: boolean }) {
  return (
    <thead className={isHidden === true ? 'visually-hidden' : undefined}>
      <tr>
        {columns.map((column) => (
          <Head key={typeof column === 'string' ? column : column.label} column={column} />
        ))}
      </tr>
    </thead>
  );
}

/** @param children rows, `tr` */
export function Table({ columns, children }: { columns: readonly Column[]; children: ReactNode }) {
  return (
    <div className={styles.scrolled}>
      <table className={styles.table}>
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A cell of digits that stand under each other. */
export const NumberCell = ({ children }: { children: ReactNode }) => <td className={styles.number}>{children}</td>;
