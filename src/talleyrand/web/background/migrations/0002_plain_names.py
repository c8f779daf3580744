from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("background", "0001_schema"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="Document",
            name="background__asked_38c6c2_idx",
        ),
        migrations.RenameModel(
            old_name="Document",
            new_name="GeneratedDocument",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="maker",
            new_name="job_name",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="told",
            new_name="arguments",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="asked",
            new_name="requested_at",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="worker",
            new_name="claimed_by",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="worker_until",
            new_name="claimed_until",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="begun",
            new_name="attempts",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="trouble",
            new_name="error",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="visitor",
            new_name="visitor_id",
        ),
        migrations.RenameField(
            model_name="GeneratedDocument",
            old_name="seconds",
            new_name="cpu_seconds",
        ),
        migrations.AddIndex(
            model_name="generateddocument",
            index=models.Index(fields=["requested_at"], name="background__request_9bfb86_idx"),
        ),
    ]
