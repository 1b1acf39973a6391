import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

/** The optional step that adds a model. If the user leaves it out, the built-in offline model answers. */
export function ModelStep({ progress: { model, errors } }: { progress: Progress }) {
  return (
    <Step
      title="1. Add a model"
      text="OpenAI, Anthropic, Google, Ollama or any compatible server. Until you add one, the built-in offline model answers."
      isDone={model === undefined ? undefined : model !== null}
      isOptional
      done={
        model && (
          <>
            Added:{' '}
            <Link to={`/build/models/${encodeURIComponent(model.id)}`}>
              <bdi>{model.name}</bdi>
            </Link>
          </>
        )
      }
      error={errors.model}
    >
      <Group>
        <Button component={Link} to="/build/models/new" variant="default">
          Add model
        </Button>
      </Group>
    </Step>
  );
}
