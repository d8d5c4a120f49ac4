// A button below a list that fetches its next page, where there is one. Knows nothing of the list.
import { Button, type ButtonProps } from '@mantine/core';
import { texts } from '../../texts.ts';

interface MoreButtonProps extends ButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  label?: string;
}

export const MoreButton = ({ list, label = texts.more, ...look }: MoreButtonProps) =>
  list.hasNextPage && (
    <Button
      variant="default"
      mt="sm"
      {...look}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {label}
    </Button>
  );
