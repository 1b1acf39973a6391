import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { askArea } from '../../api/areas.js';
import { CONVERSATIONS, type RunDetail, type RunFeedback } from '../../api/runtime-records.js';
import { useAction } from '../../ui/use-action.js';

const RATINGS = [
  { rating: 'up', label: 'Good answer', Icon: IconThumbUp },
  { rating: 'down', label: 'Bad answer', Icon: IconThumbDown },
] as const;

export interface FeedbackProps {
  run: Pick<RunDetail, 'id' | 'feedback'>;
  size?: 'md' | 'lg';
}

/** Two buttons that rate a run; clicking the pressed button removes the rating. */
export function Feedback({ run: { id, feedback }, size = 'lg' }: FeedbackProps) {
  const rate = useAction(
    (rating: RunDetail['feedback']) =>
      askArea<RunFeedback>('runtime', 'PUT', `/api/v1/runs/${id}/feedback`, { rating }),
    { refresh: [['runtime', 'api', 'v1', 'runs', id], CONVERSATIONS] },
  );
  return (
    <Group gap={4} role="group" aria-label="Feedback">
      {RATINGS.map(({ rating, label, Icon }) => (
        <Tooltip key={rating} label={label}>
          <ActionIcon
            variant={feedback === rating ? 'light' : 'subtle'}
            color={feedback === rating ? 'mill' : 'gray'}
            size={size}
            aria-label={label}
            aria-pressed={feedback === rating}
            loading={rate.isPending}
            onClick={() => rate.mutate(feedback === rating ? null : rating)}
          >
            <Icon size={size === 'lg' ? 18 : 15} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
