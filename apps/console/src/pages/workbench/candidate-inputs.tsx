import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { ModelSelect } from '../../ui/model-select.js';
import { ParameterInputs } from '../../ui/parameter-inputs.js';
import { NO_PARAMETERS } from '../../ui/parameter-values.js';
import type { Candidate } from './candidate.js';

/** Maximum number of saved versions in the list. */
const SHOWN = 20;

export const versionNumbers = (newest: number): number[] =>
  Array.from({ length: Math.min(SHOWN, newest) }, (_, index) => newest - index);

export interface CandidateInputsProps {
  candidate: Candidate;
  onChange: (candidate: Candidate) => void;
  /** Number of the newest saved version; 0 for a new record. */
  newest: number;
  /** Message when the model's name is invalid. */
  modelFault: ReactNode;
}

/** Inputs for a version, and for a model and parameters that are used instead of the version's own. */
export function CandidateInputs({ candidate, onChange, newest, modelFault }: CandidateInputsProps) {
  const { version, model, parameters } = candidate;
  return (
    <>
      {newest > 0 && (
        <NativeSelect
          label="Version"
          value={version === null ? '' : String(version)}
          data={[
            { value: '', label: 'This draft' },
            ...versionNumbers(newest).map((number) => ({ value: String(number), label: `Version ${number}` })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...candidate, version: value === '' ? null : Number(value) })
          }
        />
      )}
      <ModelSelect value={model} onChange={(chosen) => onChange({ ...candidate, model: chosen })} error={modelFault} />
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          ml={-8}
          aria-expanded={parameters !== null}
          onClick={() => onChange({ ...candidate, parameters: parameters === null ? NO_PARAMETERS : null })}
        >
          {parameters === null ? 'Other parameters' : "The version's parameters"}
        </Button>
      </div>
      {parameters !== null && (
        <ParameterInputs values={parameters} onChange={(values) => onChange({ ...candidate, parameters: values })} />
      )}
    </>
  );
}
