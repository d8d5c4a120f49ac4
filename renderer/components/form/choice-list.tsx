// What a field offers, listed below it. The field keeps the focus, and names the one that is picked. Knows no field.
import type { ReactNode } from 'react';

interface ChoiceListProps<T> {
  id: string;
  label: string;
  choices: readonly T[];
  /** Index of the one that the next Enter takes; -1 for none. */
  picked: number;
  keyOf: (choice: T) => string;
  onChoose: (choice: T) => void;
  className: string | undefined;
  children: (choice: T) => ReactNode;
}

/** For `aria-activedescendant` of the field. */
export const choiceId = (listId: string, index: number) => `${listId}-${index}`;

const showPicked = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' });

export function ChoiceList<T>({
  id,
  label,
  choices,
  picked,
  keyOf,
  onChoose,
  className,
  children,
}: ChoiceListProps<T>) {
  return (
    <div id={id} className={className} role="listbox" tabIndex={-1} aria-label={label}>
      {choices.map((choice, index) => (
        <div
          key={keyOf(choice)}
          id={choiceId(id, index)}
          ref={index === picked ? showPicked : undefined}
          role="option"
          tabIndex={-1}
          aria-selected={index === picked}
          onMouseDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            onChoose(choice);
          }}
        >
          {children(choice)}
        </div>
      ))}
    </div>
  );
}
