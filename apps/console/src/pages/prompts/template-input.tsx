import { Group, Input, Text } from '@mantine/core';
import { useId, useRef } from 'react';
import type { Finding, TokenSource } from '../../api/prompt-records.js';
import { countText } from '../../ui/figures.js';
import { offsetOf, stretchesOf } from './highlight.js';
import { InsertToken, type TokenGroup } from './insert-token.js';
import classes from './template-input.module.css';

export interface TemplateInputProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  /** Number of visible lines when the text is empty. */
  lines: number;
  /** The source of each token, by the token's name, from the server's last answer. */
  sources: ReadonlyMap<string, TokenSource>;
  findings: readonly Finding[];
  /** Token count of the text when its blocks are filled in, but its variables are not. */
  tokenCount: number | undefined;
  tokens: readonly TokenGroup[];
}

/** Editor for one part of a prompt's instructions: marks its tokens, and lists findings below. */
export function TemplateInput(props: TemplateInputProps) {
  const { label, description, value, onChange, lines, sources, findings, tokenCount, tokens } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const goTo = (finding: Finding) => {
    const at = offsetOf(value, finding);
    area.current?.focus();
    area.current?.setSelectionRange(at, at + 2);
  };
  const insert = (token: string) => {
    const { current: text } = area;
    if (!text) return;
    text.setRangeText(token, text.selectionStart, text.selectionEnd, 'end');
    onChange(text.value);
    text.focus();
  };
  return (
    <div>
      <Group justify="space-between" align="flex-end" gap="xs" mb={4} wrap="nowrap">
        <div>
          <Input.Label htmlFor={id}>{label}</Input.Label>
          <Input.Description id={`${id}-description`}>{description}</Input.Description>
        </div>
        <InsertToken label={label} groups={tokens} onInsert={insert} />
      </Group>
      <div className={classes.frame}>
        <div className={classes.layers}>
          <div className={classes.marks} style={{ '--lines': lines }} aria-hidden>
            {stretchesOf(value, sources, findings).map(({ text, kind }, index) =>
              kind === undefined ? (
                text
              ) : (
                <mark key={index} data-kind={kind}>
                  {text}
                </mark>
              ),
            )}
            {/* Gives an empty last line its height. */}
            {'\u200b'}
          </div>
          <textarea
            ref={area}
            id={id}
            className={classes.text}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            rows={1}
            maxLength={1_000_000}
            spellCheck={false}
            autoComplete="off"
            aria-describedby={`${id}-description ${id}-findings`}
          />
        </div>
      </div>
      <div className={classes.below}>
        <div id={`${id}-findings`} aria-live="polite">
          {findings.length > 0 && (
            <ul className={classes.findings} aria-label={`Warnings about ${label}`}>
              {findings.map((finding, index) => (
                <li key={index}>
                  <button type="button" onClick={() => goTo(finding)}>
                    Line {finding.line}, column {finding.column}: <bdi>{finding.reason}</bdi>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
        {tokenCount !== undefined && (
          <Text size="xs" c="dimmed" className={classes.count}>
            {countText(tokenCount, 'token')}
          </Text>
        )}
      </div>
    </div>
  );
}
