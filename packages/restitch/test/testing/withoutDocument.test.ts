import { renderDataHook } from 'restitch/testing';
import { describe, expect, it } from 'vitest';

describe('renderDataHook', () => {
  it('says so where there is no document', () => {
    expect(() => renderDataHook(() => 1)).toThrow(TypeError);
    expect(() => renderDataHook(() => 1)).toThrow('`document`');
  });
});
