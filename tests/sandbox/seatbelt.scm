;; SPDX-License-Identifier: MIT
;; Reads profiles for Seatbelt and checks their shape; exits with 1 at the first that is wrong.
(use-modules (ice-9 match))

(define operations
  '(default file-read* file-read-data file-read-metadata file-write* file-write-data
    file-write-unlink file-ioctl process-exec process-fork process-info* signal pseudo-tty
    sysctl-read mach-lookup iokit-open ipc-posix-sem ipc-posix-shm* ipc-posix-shm-read*
    system-socket network-outbound network-inbound network-bind user-preference-read))

(define string-filters
  '(literal subpath regex path-literal global-name sysctl-name sysctl-name-prefix extension
    iokit-registry-entry-class ipc-posix-name ipc-posix-name-regex))

(define (text? form)
  (match form
    ((? string?) #t)
    (('param (? string?)) #t)
    (_ #f)))

(define (filter? form)
  (match form
    (((? (lambda (name) (memq name string-filters))) value) (text? value))
    (('target 'same-sandbox) #t)
    (('socket-domain (or 'AF_UNIX 'AF_INET)) #t)
    (('require-all inner ...) (and (pair? inner) (every-filter? inner)))
    (((or 'remote 'local) 'ip) #t)
    (('remote 'ip (? string?)) #t)
    (((or 'remote 'local) 'unix-socket inner) (filter? inner))
    (_ #f)))

(define (every-filter? forms)
  (or (null? forms) (and (filter? (car forms)) (every-filter? (cdr forms)))))

;; Operations first, then filters; nothing is granted by default.
(define (rule? form)
  (match form
    (('version 1) #t)
    (('deny 'default) #t)
    (((or 'allow 'deny) words ...)
     (let loop ((words words) (count 0))
       (cond ((and (pair? words) (symbol? (car words)))
              (and (memq (car words) operations)
                   (not (eq? (car words) 'default))
                   (loop (cdr words) (+ count 1))))
             (else (and (> count 0) (every-filter? words))))))
    (_ #f)))

(define (fail what form)
  (format #t "~a: ~s~%" what form)
  (exit 1))

(define forms
  (call-with-input-file (cadr (command-line))
    (lambda (port)
      (let loop ((form (read port)) (forms '()))
        (if (eof-object? form)
            (reverse forms)
            (loop (read port) (cons form forms)))))))

(if (or (null? forms) (not (equal? (car forms) '(version 1))))
    (fail "does not begin with its version" forms))
(for-each (lambda (form) (if (not (rule? form)) (fail "not a rule" form))) forms)
;; A profile that does not deny first allows everything.
(let loop ((rest forms))
  (cond ((null? rest) #t)
        ((equal? (car rest) '(version 1))
         (if (or (null? (cdr rest)) (not (equal? (cadr rest) '(deny default))))
             (fail "does not deny first" (cdr rest)))
         (loop (cdr rest)))
        (else (loop (cdr rest)))))
(exit 0)
